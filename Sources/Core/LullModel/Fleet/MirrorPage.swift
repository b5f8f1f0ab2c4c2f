/// A page of a host's history for the fleet's database.
///
/// The thread that reads the history makes the page and its JSON, outside the event loop.
public struct MirrorPage: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public var sequence: Int64
        /// The event as the history's JSON line, without the data that only its app may see.
        public var text: String
        /// How many events between the one before it and this one stay on the host.
        public var withheld: Int

        public init(sequence: Int64, text: String, withheld: Int = 0) {
            (self.sequence, self.text, self.withheld) = (sequence, text, withheld)
        }

        fileprivate var json: String {
            let between = withheld > 0 ? "\"withheld\":\(withheld)," : ""
            return "{\"seq\":\(sequence),\(between)\"line\":\(MirrorPage.withoutNUL(text))}"
        }
    }

    /// The last output of a run that has ended.
    public struct Output: Sendable, Equatable {
        public var run: RunID
        /// The number of the event that ended the run.
        public var sequence: Int64
        public var text: String

        public init(run: RunID, sequence: Int64, text: String) {
            (self.run, self.sequence, self.text) = (run, sequence, text)
        }
    }

    /// The requested page.
    public struct Request: Sendable, Equatable {
        public var after: Int64
        public var events: Int
        /// The most bytes of lines and outputs together; a page has at least one event, whatever its size.
        public var bytes: Int
        /// Events in brief, with only their name, time and subject, because the database has refused more.
        public var isBrief: Bool
        /// At the beginning of a history (`after` is 0) older events are left out: the database would not keep them.
        public var oldest: WallTime?

        public init(after: Int64, events: Int, bytes: Int, isBrief: Bool = false, oldest: WallTime? = nil) {
            (self.after, self.events, self.bytes) = (after, events, bytes)
            (self.isBrief, self.oldest) = (isBrief, oldest)
        }
    }

    /// The most events that are read for one page: most may stay on the host.
    public static let mostRead = 5_000
    /// The most bytes of a run's output that are sent.
    public static let outputBytes = 64 << 10

    public let count: Int
    /// How many events up to `through` stay on the host.
    public let withheld: Int
    /// The number of the last event that was read; without events, the requested `after`.
    public let through: Int64
    /// The history has more events after it.
    public let isFull: Bool
    /// The last number that the history has assigned.
    public let last: Int64
    /// The JSON members `events`, `outputs`, `through` and `withheld` of a call.
    public let body: String

    /// `through` nil: no event after the last line was read; `withheld`: how many after it stay on the host.
    public init(
        lines: [Line], outputs: [Output], after: Int64, through: Int64? = nil, withheld: Int = 0,
        isFull: Bool,
        last: Int64
    ) {
        count = lines.count
        let end = through ?? lines.last?.sequence ?? after
        self.through = end
        self.withheld = lines.reduce(withheld) { $0 + $1.withheld }
        self.isFull = isFull
        self.last = last
        let events = lines.map(\.json)
        let printed = outputs.map { output in
            let text = JSONValue.string(output.text.replacing("\0", with: "\u{FFFD}")).text
            return "{\"run\":\(output.run),\"sequence\":\(output.sequence),\"text\":\(text)}"
        }
        body =
            "\"events\":[" + events.joined(separator: ",") + "],\"outputs\":["
            + printed.joined(separator: ",") + "],\"through\":\(end),\"withheld\":\(withheld)"
    }

    /// Replaces U+0000, which PostgreSQL's JSON can't hold, by U+FFFD.
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
