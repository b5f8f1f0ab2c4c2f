/// Who waits to be told that what a host shows has become another: views that are drawn live.
///
/// Each change has a number; who has seen one is told of the next. A change says nothing of itself: who is told asks for
/// what it shows, so that many changes at once are one.
struct Watchers {
    private var revision: UInt64 = 1
    private var waiting: [(UInt64) -> Void] = []

    /// More than clients can be connected: most of so many have gone, which nobody says.
    static let limit = 512

    /// Tells `tell` the number of the newest change once it is another than `seen`. True: so many wait that all are to be
    /// told, as of a change; who is there still asks again.
    mutating func wait(since seen: UInt64, _ tell: @escaping (UInt64) -> Void) -> Bool {
        guard seen == revision else {
            tell(revision)
            return false
        }
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
        let told = watchers.changed()
        for tell in told { tell(watchers.newest) }
    }
}
