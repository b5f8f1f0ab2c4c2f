/// The source of a request's bytes.
protocol ByteSource: Sendable {
    /// At most so many bytes, as soon as there are some; none once the other side has closed. Throws `Overdue` at the
    /// deadline.
    func read(atMost count: Int, by deadline: ContinuousClock.Instant) async throws -> [UInt8]
}

/// Nothing came in time.
struct Overdue: Error {}

/// The requests of one connection, one after another; it holds at most the bytes of one head and of one push.
struct HTTPReader<Source: ByteSource> {
    let source: Source
    let limits: WebLimits
    let userHeader: String?
    /// Bytes that have come and belong to no request yet.
    private var bytes: [UInt8] = []

    init(source: Source, limits: WebLimits, userHeader: String? = nil) {
        self.source = source
        self.limits = limits
        self.userHeader = userHeader
    }

    /// Whether a request has begun and not ended.
    var isWithinRequest: Bool { !bytes.isEmpty }

    /// The next request, without its body unless it is a push; nil when none comes.
    mutating func next() async throws -> HTTPHead? {
        var scanner = HTTPHeadScanner(limits: limits)
        var deadline = ContinuousClock.now + (bytes.isEmpty ? limits.idle : limits.request)
        while true {
            if let end = try scanner.scan(bytes) {
                var head = try HTTPHead(
                    bytes, lines: scanner.lines, limits: limits, userHeader: userHeader)
                bytes.removeFirst(end)
                head.body = try await take(head.bodyLength, keeps: head.isPush, by: deadline)
                return head
            }
            let part: [UInt8]
            do {
                part = try await source.read(atMost: min(4096, limits.head - bytes.count), by: deadline)
            } catch is Overdue {
                if bytes.isEmpty { return nil }
                throw HTTPRefusal.tooSlow
            }
            if part.isEmpty { return nil }
            // The time limit of a request starts at its first byte, however slowly the others come.
            if bytes.isEmpty { deadline = ContinuousClock.now + limits.request }
            bytes += part
        }
    }

    private mutating func take(
        _ length: Int, keeps: Bool, by deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        let here = min(length, bytes.count)
        var body = keeps ? Array(bytes.prefix(here)) : []
        bytes.removeFirst(here)
        var left = length - here
        while left > 0 {
            let part: [UInt8]
            do {
                part = try await source.read(atMost: min(4096, left), by: deadline)
            } catch is Overdue {
                throw HTTPRefusal.tooSlow
            }
            if part.isEmpty { throw HTTPRefusal.malformed("its body is shorter than it says") }
            left -= part.count
            if keeps { body += part }
        }
        return body
    }
}
