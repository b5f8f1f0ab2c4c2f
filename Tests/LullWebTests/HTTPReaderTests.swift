import Synchronization
import Testing

@testable import LullWeb

/// Requests as they arrive on a connection, within limits: the tests count bytes, never time.
struct HTTPReaderTests {
    private let limits = WebLimits()

    private func first(of text: String, piece: Int = 4096) async throws -> HTTPHead? {
        var reader = HTTPReader(source: Dribble(text, piece: piece), limits: limits)
        return try await reader.next()
    }

    @Test func `a line without an end is given up at its limit`() async {
        let source = Dribble("GET /" + String(repeating: "a", count: 10 << 20))
        var reader = HTTPReader(source: source, limits: limits)
        await #expect(throws: HTTPRefusal.lineTooLong(limit: limits.line)) { try await reader.next() }
        #expect(source.handed <= limits.line + 4096)
    }

    @Test(arguments: [
        "X: ", "X: y\r\n", "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n",
    ])
    func `headers without an end are given up at their limit`(header: String) async {
        let many =
            header.hasSuffix("\n")
            ? String(repeating: header, count: (10 << 20) / header.utf8.count)
            : header + String(repeating: "a", count: 10 << 20)
        let source = Dribble("GET / HTTP/1.1\r\n" + many)
        var reader = HTTPReader(source: source, limits: limits)
        let refusal = await #expect(throws: HTTPRefusal.self) { try await reader.next() }
        #expect(refusal?.status == 431)
        #expect(source.handed <= limits.head)
    }

    @Test func `a head as long as it may be is read, and one byte more is not`() async throws {
        let least = "GET / HTTP/1.1\r\nX: \r\n\r\n"
        let filling = String(repeating: "a", count: limits.head - least.utf8.count)
        let whole = "GET / HTTP/1.1\r\nX: \(filling)\r\n\r\n"
        #expect(whole.utf8.count == limits.head)
        #expect(try await first(of: whole)?.path == "/")
        await #expect(throws: HTTPRefusal.headTooLong(limit: limits.head)) {
            try await first(of: "GET / HTTP/1.1\r\nX: a\(filling)\r\n\r\n")
        }
        let path = "/" + String(repeating: "a", count: limits.line - 16)
        #expect(try await first(of: "GET \(path) HTTP/1.1\r\n\r\n")?.path == path)
        await #expect(throws: HTTPRefusal.lineTooLong(limit: limits.line)) {
            try await first(of: "GET \(path)aaaa HTTP/1.1\r\n\r\n")
        }
    }

    @Test func `bytes that dribble in are each looked at once, and gain no time`() async throws {
        let text = "GET /a?b=%20c&d=1+1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let source = Dribble(text, piece: 1)
        var reader = HTTPReader(source: source, limits: limits)
        let head = try #require(try await reader.next())
        #expect(
            head.path == "/a" && head.query == ["b": " c", "d": "1+1"] && head.client.host == "localhost")
        #expect(source.deadlines.count == text.utf8.count)
        // The first byte may take long; all others have the deadline of the same request.
        #expect(Set(source.deadlines.dropFirst()).count == 1)
        #expect(source.deadlines[1] < source.deadlines[0])

        var scanner = HTTPHeadScanner(limits: limits)
        var bytes: [UInt8] = []
        for byte in text.utf8.dropLast() {
            bytes.append(byte)
            let end = try scanner.scan(bytes)
            #expect(end == nil)
            #expect(scanner.looked == bytes.count)
        }
    }

    @Test func `a path that is not UTF-8 is refused as that`() async {
        let refusal = await #expect(throws: HTTPRefusal.self) {
            try await first(of: "GET /%FF HTTP/1.1\r\n\r\n")
        }
        #expect(refusal == .malformed("its path or query is not UTF-8 in percent-encoding"))
    }

    @Test func `who says nothing is let go, and who does not end what he says is told so`() async throws {
        var silent = HTTPReader(source: Dribble("", ends: false), limits: limits)
        #expect(try await silent.next() == nil)
        for begun in ["G", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\na"] {
            var reader = HTTPReader(source: Dribble(begun, ends: false), limits: limits)
            await #expect(throws: HTTPRefusal.tooSlow) { try await reader.next() }
        }
    }

    @Test func `requests follow each other, and their bodies are passed over`() async throws {
        let source = Dribble(
            "POST /a HTTP/1.1\r\nContent-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5000)
                + "\r\nPOST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET /c HTTP/1.0\r\n\r\n")
        var reader = HTTPReader(source: source, limits: limits)
        var heads: [HTTPHead] = []
        while let head = try await reader.next() { heads.append(head) }
        #expect(heads.map(\.path) == ["/a", "/b", "/c"])
        #expect(heads.map(\.keepsAlive) == [true, true, false])
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA\r: b\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}", 400), ("\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1 \r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505), ("GET a HTTP/1.1\r\n\r\n", 400),
        ("GET http://localhost/ HTTP/1.1\r\n\r\n", 400), ("GET /# HTTP/1.1\r\n\r\n", 400),
        ("GET /%zz HTTP/1.1\r\n\r\n", 400), ("GET /?a=%ff HTTP/1.1\r\n\r\n", 400),
        ("GET /?a=1&b&a=2 HTTP/1.1\r\n\r\n", 400), ("GET /?a=1&%61=1 HTTP/1.1\r\n\r\n", 400),
        ("GET /é HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nX: \u{1}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    ])
    func `what is no request of ours is refused with a sentence`(text: String, status: Int) async {
        for piece in [1, 4096] {
            let refusal = await #expect(throws: HTTPRefusal.self) { try await first(of: text, piece: piece) }
            #expect(refusal?.status == status)
            #expect(refusal?.message.hasSuffix(".") == true)
        }
    }
}

/// A text that comes in pieces; it counts the bytes taken and keeps each piece's deadline.
private final class Dribble: ByteSource, Sendable {
    private let bytes: [UInt8]
    private let piece: Int
    private let ends: Bool
    private let state = Mutex<(handed: Int, deadlines: [ContinuousClock.Instant])>((0, []))

    init(_ text: String, piece: Int = 4096, ends: Bool = true) {
        bytes = Array(text.utf8)
        self.piece = piece
        self.ends = ends
    }

    var handed: Int { state.withLock { $0.handed } }
    var deadlines: [ContinuousClock.Instant] { state.withLock { $0.deadlines } }

    func read(atMost count: Int, by deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        try state.withLock { state in
            state.deadlines.append(deadline)
            let part = bytes[state.handed...].prefix(min(count, piece))
            state.handed += part.count
            if part.isEmpty, !ends { throw Overdue() }
            return Array(part)
        }
    }
}
