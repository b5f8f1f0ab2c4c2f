/// Where the bytes of requests come from.
protocol ByteSource: Sendable {
    /// At most so many bytes, as soon as there are some; none at the other side's end. Throws `Overdue` when it is too late.
    func read(atMost count: Int, by deadline: ContinuousClock.Instant) async throws -> [UInt8]
}

/// Nothing came in time.
struct Overdue: Error {}

/// Requests of one connection, one after the other; holds at no time more of them than a head may be long, and one push.
struct HTTPReader<Source: ByteSource> {
    let source: Source
    let limits: WebLimits
    /// What has come and belongs to no request yet.
    private var bytes: [UInt8] = []

    init(source: Source, limits: WebLimits) {
        self.source = source
        self.limits = limits
    }

    /// Whether a request has begun and not ended.
    var isWithinRequest: Bool { !bytes.isEmpty }

    /// The next request, its body let go but for a push's; nil when none comes.
    mutating func next() async throws -> HTTPHead? {
        var scanner = HTTPHeadScanner(limits: limits)
        var deadline = ContinuousClock.now + (bytes.isEmpty ? limits.idle : limits.request)
        while true {
            if let end = try scanner.scan(bytes) {
                var head = try HTTPHead(bytes, lines: scanner.lines, limits: limits)
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
            // From the first byte on the time is running, however the others dribble in.
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
