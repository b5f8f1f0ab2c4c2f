/// The connections of the page: as many at once as its limits let, and each can be sent away.
actor WebConnections {
    private var book: ConnectionTable
    private var sendAway: [UInt64: @Sendable () -> Void] = [:]
    /// Who is at the door while one leaves.
    private var atDoor: CheckedContinuation<Void, Never>?

    init(limits: WebLimits) { book = ConnectionTable(places: limits.connections, unread: limits.unread) }

    /// A place for one more, who is asked in by one caller alone; nil when all that are there are owed an answer.
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

    /// Makes a place although none is asked for, as where no file can be opened any more.
    func makePlace() {
        guard !book.isAnyLeaving, let number = book.sendAwayForPlace() else { return }
        sendAway[number]?()
    }

    /// How the connection is sent away.
    func welcome(_ number: UInt64, sendAway: @escaping @Sendable () -> Void) {
        guard let doing = book[number] else { return }
        self.sendAway[number] = sendAway
        // Nobody could tell it before.
        if doing == .leaving { sendAway() }
    }

    func leave(_ number: UInt64) {
        book.leave(number)
        sendAway[number] = nil
        atDoor?.resume()
        atDoor = nil
    }

    /// Throws for who was sent away.
    func note(_ number: UInt64, _ doing: ConnectionTable.Doing) throws(CancellationError) {
        guard book.note(number, doing) else { throw CancellationError() }
        for number in book.sendAwayForMemory() { sendAway[number]?() }
    }

    var count: Int { book.count }
}
