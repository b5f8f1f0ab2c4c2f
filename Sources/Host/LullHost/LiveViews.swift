/// Who waits to be told that what a host shows has become another: views that are drawn live.
///
/// Each change has a number; who has seen one is told of the next. A change says nothing of itself: who is told asks for
/// what it shows, so that many changes at once are one.
struct LiveViews {
    private var revision: UInt64 = 1
    private var waiting: [(UInt64) -> Void] = []

    /// More than clients can be connected: most of so many have gone, which nobody says.
    static let limit = 512

    /// Whoever has seen another change than the newest need not wait.
    func isNews(_ seen: UInt64) -> Bool { seen != revision }

    /// `tell` is called at the next change, with its number. True: so many wait that all are to be told, as of a change; who
    /// is there still asks again.
    mutating func wait(_ tell: @escaping (UInt64) -> Void) -> Bool {
        waiting.append(tell)
        return waiting.count > Self.limit
    }

    /// Something has changed. Returns who is to be told now.
    mutating func changed() -> [(UInt64) -> Void] {
        revision &+= 1
        defer { waiting = [] }
        return waiting
    }

    var newest: UInt64 { revision }
}

extension Host {
    /// What somebody sees of this host has become another.
    func noteChange() {
        let told = views.changed()
        for tell in told { tell(views.newest) }
    }
}
