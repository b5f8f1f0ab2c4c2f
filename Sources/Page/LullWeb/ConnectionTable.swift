/// The connections, what each does, and which one is closed when there is no place for another.
///
/// A request that is not complete costs its sender nothing, and an answer that nobody reads costs memory: the
/// connection that has kept the page waiting longest makes room for a new one. None is closed while the page owes it an
/// answer.
struct ConnectionTable {
    enum Doing: Equatable {
        /// Has not sent a whole request yet, or none after the last answer.
        case asking
        /// Waits for its answer.
        case waiting
        /// Has an answer of so many bytes to read.
        case reading(Int)
        /// Gets an event for each change.
        case listening
        /// Is being closed.
        case leaving
    }

    let places: Int
    let unread: Int
    private var connections: [UInt64: Connection] = [:]
    /// How many are being closed.
    private var leaving = 0
    /// Bytes of all answers that are being read.
    private var held = 0
    private var steps: UInt64 = 0

    private struct Connection {
        var doing: Doing
        var since: UInt64
    }

    init(places: Int, unread: Int) {
        self.places = places
        self.unread = unread
    }

    var count: Int { connections.count }
    var isAnyLeaving: Bool { leaving > 0 }

    subscript(_ number: UInt64) -> Doing? { connections[number]?.doing }

    /// The connection's number; nil when there is no place.
    mutating func enter() -> UInt64? {
        guard connections.count < places else { return nil }
        write(steps + 1, .asking)
        return steps
    }

    mutating func leave(_ number: UInt64) {
        forget(number)
        connections[number] = nil
    }

    /// False for a connection that is being closed. One that begins something else counts as the newest from here on.
    mutating func note(_ number: UInt64, _ doing: Doing) -> Bool {
        guard let connection = connections[number], connection.doing != .leaving else { return false }
        write(number, doing)
        return true
    }

    /// Closes one to make a place: of those that send a request or read an answer, the one that began first.
    mutating func sendAwayForPlace() -> UInt64? {
        guard let number = first(where: { $0 == .asking || $0.isReading }) else { return nil }
        write(number, .leaving)
        return number
    }

    /// Closes connections while too many bytes wait to be read, those that have read longest first; never the last one left.
    mutating func sendAwayForMemory() -> [UInt64] {
        var away: [UInt64] = []
        while held > unread, let number = first(where: \.isReading), connections[number]?.doing.bytes != held
        {
            write(number, .leaving)
            away.append(number)
        }
        return away
    }

    private mutating func write(_ number: UInt64, _ doing: Doing) {
        forget(number)
        steps += 1
        connections[number] = Connection(doing: doing, since: steps)
        held += doing.bytes
        if doing == .leaving { leaving += 1 }
    }

    private mutating func forget(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        held -= connection.doing.bytes
        if connection.doing == .leaving { leaving -= 1 }
    }

    private func first(where matches: (Doing) -> Bool) -> UInt64? {
        var found: (number: UInt64, since: UInt64)?
        for (number, connection) in connections
        where connection.since < found?.since ?? .max && matches(connection.doing) {
            found = (number, connection.since)
        }
        return found?.number
    }
}

extension ConnectionTable.Doing {
    fileprivate var bytes: Int { if case .reading(let bytes) = self { bytes } else { 0 } }
    fileprivate var isReading: Bool { if case .reading = self { true } else { false } }
}
