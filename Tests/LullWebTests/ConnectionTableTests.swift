import Testing

@testable import LullWeb

/// The connection that is closed when there is no place, or when too much is unread.
struct ConnectionTableTests {
    private func full(_ places: Int, unread: Int = 100) throws -> (Desk, [UInt64]) {
        let book = Desk(ConnectionTable(places: places, unread: unread))
        return (book, try (0..<places).map { _ in try #require(book.enter()) })
    }

    @Test func `who has asked or read for longest goes first, and nobody who is owed an answer`() throws {
        let (book, connections) = try full(6)
        #expect(book.enter() == nil)
        // Connection 0 has had an answer since, and counts as asking from then on.
        let doings: [(Int, ConnectionTable.Doing)] = [
            (2, .reading(1)), (0, .waiting), (0, .asking), (1, .waiting), (3, .listening), (4, .reading(9)),
        ]
        for (connection, doing) in doings { #expect(book.note(connections[connection], doing)) }
        for connection in [5, 2, 0, 4] {
            #expect(book.sendAwayForPlace() == connections[connection])
            #expect(book.isAnyLeaving)
        }
        #expect(book.sendAwayForPlace() == nil)
        // A place is free once its connection has gone, not before.
        #expect(book.enter() == nil)
        #expect(!book.note(connections[4], .waiting))
        book.leave(connections[4])
        #expect(book.enter() != nil)
    }

    @Test func `bytes that nobody reads are bounded, and the newest answer is let be`() throws {
        let (book, connections) = try full(4)
        for connection in connections[..<3] { #expect(book.note(connection, .reading(40))) }
        #expect(book.sendAwayForMemory() == [connections[0]])
        #expect(book.note(connections[3], .reading(1000)))
        #expect(book.sendAwayForMemory() == [connections[1], connections[2]])
        #expect(book.sendAwayForMemory() == [])
    }

    @Test func `a request may dribble in for as long as nobody else wants the place, and no longer`()
        async throws
    {
        var limits = WebLimits()
        limits.connections = 2
        let connections = WebConnections(limits: limits)
        let (sent, sends) = AsyncStream<UInt64>.makeStream()
        let first = try #require(await connections.enter())
        let second = try #require(await connections.enter())
        for number in [first, second] { await connections.welcome(number) { sends.yield(number) } }
        let third = Task { await connections.enter() }
        #expect(await sent.first { _ in true } == first)
        await #expect(throws: CancellationError.self) { try await connections.note(first, .waiting) }
        await connections.leave(first)
        let number = try #require(await third.value)
        // Connections that await an answer keep their places, and a new one is refused.
        try await connections.note(second, .waiting)
        try await connections.note(number, .waiting)
        #expect(await connections.enter() == nil)
        #expect(await connections.count == 2)
    }

    @Test func `a process of few files takes few connections`() {
        #expect(WebLimits(descriptors: 32).connections == 4)
        #expect(WebLimits(descriptors: 256).connections == 116)
        #expect(WebLimits(descriptors: 1024).connections == 192)
        #expect(WebLimits(descriptors: 32).listeners == 2)
        #expect(WebLimits(descriptors: .max).listeners == 64)
    }
}

/// A reference to a table, because `#expect` needs a constant while the table changes.
private final class Desk {
    private var book: ConnectionTable

    init(_ book: ConnectionTable) { self.book = book }

    var isAnyLeaving: Bool { book.isAnyLeaving }
    func enter() -> UInt64? { book.enter() }
    func leave(_ number: UInt64) { book.leave(number) }
    func note(_ number: UInt64, _ doing: ConnectionTable.Doing) -> Bool { book.note(number, doing) }
    func sendAwayForPlace() -> UInt64? { book.sendAwayForPlace() }
    func sendAwayForMemory() -> [UInt64] { book.sendAwayForMemory() }
}
