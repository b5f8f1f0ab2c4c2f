import Foundation
import LullAnswers
import LullHistory
import LullModel

/// The past: events, runs, their output, and the timeline.
extension WebSite {
    nonisolated func history(_ query: [String: String]) async throws -> WebReply {
        var asked = HistoryQuery(order: .newestFirst, limit: 200)
        for (key, value) in query {
            switch key {
            case "app":
                asked.app = try Self.known(AppIdentifier(recorded: value), key, value, "an app's identifier")
            case "task": asked.task = try Self.known(TaskIdentifier(value), key, value, "a task's identifier")
            case "run":
                asked.run = RunID(try Self.known(UInt64(value), key, value, "a run's number"))
            case "event":
                let names = value.split(separator: ",").map(String.init)
                asked.names = Set(
                    try names.map {
                        try Self.known(HistoryEvent.Name(rawValue: $0), key, $0, "the name of an event")
                    })
            case "since": asked.since = try Self.time(key, value)
            case "until": asked.until = try Self.time(key, value)
            case "limit":
                asked.limit = min(try Self.count(key, value), Self.eventLimit)
            default:
                throw WebRefusal(
                    400,
                    "'\(key)' is not known here. The keys here are: app, task, run, event, since, until and limit."
                )
            }
        }
        let events = try await answers.history(asked)
        return WebReply(body: Self.json(of: events.reversed()))
    }

    /// In the format of `lull history --json`, as one list.
    private static func json(of events: some Sequence<HistoryEvent>) -> Data {
        Data(("{\"events\":[" + lines(of: events) + "]}").utf8)
    }

    private static func lines(of events: some Sequence<HistoryEvent>) -> String {
        events.map { HistoryLines.encode($0.withoutPayload) }.joined(separator: ",")
    }

    nonisolated func run(_ run: RunID) async throws -> WebReply {
        let events = try await answers.history(HistoryQuery(run: run, limit: Self.eventLimit))
        guard !events.isEmpty else { throw WebRefusal(404, "There is no run \(run) in the history.") }
        let origin = try await answers.origin(of: run).map { JSONValue.string($0).text } ?? "null"
        return WebReply(
            body: Data(
                ("{\"events\":[" + Self.lines(of: events) + "],\"origin_words\":" + origin + "}").utf8))
    }

    nonisolated func output(of run: RunID) async throws -> WebReply {
        struct Output: Encodable {
            var run: RunID
            var text: String
            var bytes: Int
            var droppedBytes: Int
            var shared: Bool
            var open: Bool
        }
        let (kept, isOpen) = try await answers.output(of: run)
        let output = kept ?? RunOutput(run: run, pieces: [])
        return WebReply(
            body: WebJSON.encode(
                Output(
                    run: run, text: output.text, bytes: output.total, droppedBytes: output.dropped,
                    shared: output.pieces.contains(where: \.isShared), open: isOpen)))
    }

    nonisolated func timeline(_ query: [String: String], showsPrinted: Bool) async throws -> WebReply {
        for key in query.keys where !["span", "from", "to"].contains(key) && !LaneSlice.keys.contains(key) {
            throw WebRefusal(
                400,
                "'\(key)' is not known here. The keys here are: span, from, to, task, find, limit and fold.")
        }
        let slice = try LaneSlice(query)
        let setting = try await answers.setting()
        let range = try Self.range(query, setting)
        var read = try await answers.timeline(setting, from: range.from, to: range.to)
        let all = read.timeline.lanes
        let found = all.filter(slice.finds)
        let throughput = slice.isPart ? Throughput(of: read.timeline) : nil
        read.timeline.lanes = slice.listed(of: found, since: range.from)
        let counts = slice.isPart ? [all, found].map { Self.counts($0, since: range.from) } : []
        return WebReply(
            body: WebJSON.encode(
                TimelineJSON(
                    read.timeline, zone: setting.zone, isCut: read.isCut, showsPrinted: showsPrinted,
                    apps: setting.apps, counts: counts.first, found: counts.last, throughput: throughput)))
    }

    private static func counts(_ lanes: [Timeline.Lane], since from: WallTime) -> [String: Int] {
        Dictionary(lanes.map { ($0.group(since: from), 1) }, uniquingKeysWith: +)
    }

    private static func range(
        _ query: [String: String], _ setting: WebSetting
    ) throws -> (from: WallTime, to: WallTime) {
        var range = TimelineSpan.night.range(at: setting.now, in: setting.zone)
        if let name = query["span"] {
            let span = try known(TimelineSpan(rawValue: name), "span", name, "night, day or week")
            range = span.range(at: setting.now, in: setting.zone)
        }
        if let from = query["from"] { range.from = try time("from", from) }
        if let to = query["to"] { range.to = try time("to", to) }
        guard range.from < range.to, range.to - range.from <= .days(62) else {
            throw WebRefusal(400, "The span must end after its beginning, and within 62 days of it.")
        }
        return range
    }

    static func time(_ key: String, _ value: String) throws -> WallTime {
        try known(WallTime(rfc3339: value), key, value, "a time such as 2026-11-21T08:00:00Z")
    }

    static func count(_ key: String, _ value: String) throws -> Int {
        try known(Int(value).flatMap { $0 > 0 ? $0 : nil }, key, value, "a number from 1 to \(Int.max)")
    }

    static func known<Value>(
        _ value: Value?, _ key: String, _ text: String, _ what: String
    ) throws -> Value {
        guard let value else { throw WebRefusal(400, "\(key)=\(text) is not \(what).") }
        return value
    }
}
