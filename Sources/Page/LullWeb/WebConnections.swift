/// The connections of the page: as many at once as its limits let, and each can be closed.
actor WebConnections {
    private var book: ConnectionTable
    private var sendAway: [UInt64: @Sendable () -> Void] = [:]
    /// The caller that waits for a place while a connection is being closed.
    private var atDoor: CheckedContinuation<Void, Never>?

    init(limits: WebLimits) { book = ConnectionTable(places: limits.connections, unread: limits.unread) }

    /// A place for one more connection; nil if the page owes an answer to all that there are. Only one caller may ask
    /// at a time.
    func enter() async -> UInt64? {
        while true {
            if let number = book.enter() { return number }
            if !book.isAnyLeaving {
                guard let number = book.sendAwayForPlace() else { return nil }
                sendAway[number]?()
            }
            await withCheckedContinuation { atDoor = $0 }
        }
    }

    /// Makes a place although none is asked for, as when no file can be opened any more.
    func makePlace() {
        guard !book.isAnyLeaving, let number = book.sendAwayForPlace() else { return }
        sendAway[number]?()
    }

    /// Registers how the connection is closed.
    func welcome(_ number: UInt64, sendAway: @escaping @Sendable () -> Void) {
        guard let doing = book[number] else { return }
        self.sendAway[number] = sendAway
        // It was to be closed before it was registered.
        if doing == .leaving { sendAway() }
    }

    func leave(_ number: UInt64) {
        book.leave(number)
        sendAway[number] = nil
        atDoor?.resume()
        atDoor = nil
    }

    /// Throws for a connection that is being closed.
    func note(_ number: UInt64, _ doing: ConnectionTable.Doing) throws(CancellationError) {
        guard book.note(number, doing) else { throw CancellationError() }
        for number in book.sendAwayForMemory() { sendAway[number]?() }
    }

    var count: Int { book.count }
}
