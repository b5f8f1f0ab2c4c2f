/// A stretch of a host's history as it goes to the fleet's database.
///
/// It is made where the history is read, beside the loop, and so are the bytes that are sent.
public struct MirrorPage: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public var sequence: Int64
        /// The event as the history's JSON line, without what is its app's alone.
        public var text: String

        public init(sequence: Int64, text: String) { (self.sequence, self.text) = (sequence, text) }
    }

    /// What a run that has ended printed last.
    public struct Output: Sendable, Equatable {
        public var run: RunID
        /// Of the event that ended it.
        public var sequence: Int64
        public var text: String

        public init(run: RunID, sequence: Int64, text: String) {
            (self.run, self.sequence, self.text) = (run, sequence, text)
        }
    }

    /// Which stretch is asked for.
    public struct Request: Sendable, Equatable {
        public var after: Int64
        public var events: Int
        /// Of lines and outputs together; one event is in a page whatever its size.
        public var bytes: Int
        /// Of what an event says only what happened when to whom: the database has refused the rest.
        public var isBrief: Bool
        /// Of a history that nothing has been sent of (`after` is 0) what is older is left out: the database keeps none of it.
        public var oldest: WallTime?

        public init(after: Int64, events: Int, bytes: Int, isBrief: Bool = false, oldest: WallTime? = nil) {
            (self.after, self.events, self.bytes) = (after, events, bytes)
            (self.isBrief, self.oldest) = (isBrief, oldest)
        }
    }

    /// So much of a run's output is sent at most.
    public static let outputBytes = 64 << 10

    public let count: Int
    /// The number of its last event; without one where it begins.
    public let through: Int64
    /// More stands behind it.
    public let isFull: Bool
    /// The last number that the history has given.
    public let last: Int64
    /// The members `events` and `outputs` of a call.
    public let body: String

    public init(lines: [Line], outputs: [Output], after: Int64, isFull: Bool, last: Int64) {
        count = lines.count
        through = lines.last?.sequence ?? after
        self.isFull = isFull
        self.last = last
        let events = lines.map { "{\"seq\":\($0.sequence),\"line\":\(Self.withoutNUL($0.text))}" }
        let printed = outputs.map { output in
            let text = JSONValue.string(output.text.replacing("\0", with: "\u{FFFD}")).text
            return "{\"run\":\(output.run),\"sequence\":\(output.sequence),\"text\":\(text)}"
        }
        body =
            "\"events\":[" + events.joined(separator: ",") + "],\"outputs\":["
            + printed.joined(separator: ",") + "]"
    }

    /// PostgreSQL's JSON has no U+0000: in its place stands the mark of what is no text.
    static func withoutNUL(_ json: String) -> String {
        guard json.utf8.contains(UInt8(ascii: "\\")) else { return json }
        var out: [UInt8] = []
        var rest = Array(json.utf8)[...]
        while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
            out += rest[..<escape]
            let isNUL = rest[escape...].starts(with: #"\u0000"#.utf8)
            let end = min(escape + (isNUL ? 6 : 2), rest.endIndex)
            out += isNUL ? Array(#"\ufffd"#.utf8) : Array(rest[escape..<end])
            rest = rest[end...]
        }
        return String(decoding: out + rest, as: UTF8.self)
    }
}
