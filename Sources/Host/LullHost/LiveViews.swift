/// The live views that wait for the host's state to change.
///
/// Each change has a number; a view that has seen one is notified of the next. The notification has no content: the
/// view asks for the state then, so that many changes at once are one.
struct LiveViews {
    private var revision: UInt64 = 1
    private var waiting: [(UInt64) -> Void] = []

    /// More than clients can be connected: beyond it, most of the waiting ones have gone unnoticed.
    static let limit = 512

    /// Whether `seen` is not the newest change, so that the view need not wait.
    func isNews(_ seen: UInt64) -> Bool { seen != revision }

    /// `tell` is called at the next change, with its number. True: too many wait, so notify all as of a change; the
    /// views that are still there ask again.
    mutating func wait(_ tell: @escaping (UInt64) -> Void) -> Bool {
        waiting.append(tell)
        return waiting.count > Self.limit
    }

    /// Counts a change. Returns the callbacks that now have to be called.
    mutating func changed() -> [(UInt64) -> Void] {
        revision &+= 1
        defer { waiting = [] }
        return waiting
    }

    var newest: UInt64 { revision }
}

extension Host {
    /// Notifies the live views that the host's state has changed.
    func noteChange() {
        let told = views.changed()
        for tell in told { tell(views.newest) }
    }
}
