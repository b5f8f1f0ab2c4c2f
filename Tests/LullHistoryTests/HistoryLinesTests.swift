import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullHistory

@Suite struct `A line of history` {
    @Test func `is written as the design shows it`() throws {
        let time = try #require(WallTime(rfc3339: "2026-11-21T08:00:00Z"))
        let use = HistoryEvent(.used, at: time, app: try Sample.app())
        #expect(
            HistoryLines.encode(use)
                == #"{"time":"2026-11-21T08:00:00.000Z","event":"used","app":"com.example.ColorFeed"}"#)
    }

    @Test func `has its keys in a fixed order`() throws {
        let line = HistoryLines.encode(try Sample.full())
        let keys = [
            "time", "event", "app", "task", "request", "run", "kind", "origin", "earliest_begin", "requires",
            "title", "subtitle", "protection", "occurrence", "gates", "registered", "stamp", "outcome", "ms",
            "price", "budget", "shares", "expected_by", "notice", "provenance", "by", "reason",
        ]
        let places = keys.map { line.range(of: "\"\($0)\":")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(
            line.contains(#""requires":{"battery_above":0.2,"disk_free":1073741824,"external_power":true,"#))
        #expect(line.contains(#""earliest_begin":"2026-11-18T11:21:40.001Z""#))
        #expect(!line.contains("\n"))
    }

    @Test func `comes back as the same event`() throws {
        var events = try Sample.names()
        var empty = try Sample.use(1)
        (empty.gates, empty.registered, empty.requires) = ([], [], Requirements.none)
        empty.shares = [:]
        events += [try Sample.full(), empty, try Sample.launch(2, run: 4)]
        var random = SeededGenerator(seed: 12)
        events += try (0..<2000).map { _ in try Sample.random(using: &random) }
        for event in events {
            #expect(try HistoryLines.decode(HistoryLines.encode(event), number: 1, path: "h") == event)
        }
    }

    @Test func `reaches another process with all that it has`() throws {
        let events = [try Sample.full(), try Sample.use(1)]
        let received = try JSONDecoder().decode([HistoryEvent].self, from: JSONEncoder().encode(events))
        #expect(received == events)
    }

    /// Pauses of everything, of an app and of a task; with an end and without.
    @Test(arguments: Twin.allCases)
    func `of a pause comes back through the lines and the database`(_ twin: Twin) throws {
        let folder = try TemporaryFolder()
        let history = try twin.make(in: folder)
        var events: [HistoryEvent] = []
        for (app, task) in [
            (AppIdentifier.host, nil), (try Sample.app(), nil), (try Sample.app(), try Sample.task()),
        ] {
            var paused = HistoryEvent(
                .paused, at: Sample.start, app: app, task: task, reason: "a \"new\" disk")
            events.append(paused)
            (paused.time, paused.earliestBegin) = (Sample.start + .minutes(1), Sample.start + .minutes(90))
            events.append(paused)
            events.append(
                HistoryEvent(.resumed, at: Sample.start + .minutes(2), app: app, task: task, reason: "done")
            )
        }
        let file = events.map { HistoryLines.encode($0) + "\n" }.joined()
        let read = try HistoryLines.decode(file: Data(file.utf8), path: "h.jsonl").events
        #expect(read == events)
        try history.append(HistoryBatch(events: read))
        #expect(try history.load().events == events)
        #expect(try history.unknown(among: events).isEmpty)
        #expect(file.contains(#""event":"paused","app":"host""#))
    }

    @Test func `is valid JSON whatever a reason says`() throws {
        for reason in ["", "\"", "\\", "\u{1}\u{1F}\u{7F}", "a\r\n\tb", "☃𝄞", "</script>", "\u{2028}"] {
            var event = try Sample.use(0)
            event.reason = reason
            let line = HistoryLines.encode(event)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["reason"] as? String == reason)
            #expect(try HistoryLines.decode(line, number: 1, path: "h").reason == reason)
        }
    }

    @Test func `has the name of a plugin's SDK in one line, so that it forges none`() throws {
        var event = try Sample.launch(1, run: 1)
        event.provenance = Provenance(manifest: "9f", place: "jobs.yaml:1", lull: "0.2.0")
        event.provenance?.plugin = .init(buildID: nil, sdk: "c\nOutput:", abi: "1.3")
        #expect(event.provenance?.plugin?.sdk == "c␊Output:")
        let line = HistoryLines.encode(event).replacing("c␊Output:", with: #"c\nall is well"#)
        let read = try HistoryLines.decode(line, number: 1, path: "h")
        #expect(read.provenance?.plugin?.sdk == "c␊all is well")
    }

    @Test func `is read in any order, with spaces, escapes and fields nobody knows`() throws {
        let line = #"""
             { "mood" : {"a":[1,2.5e3,true,null,{"b":"\u0041"}]} , "app":"com.example.\u0043olorFeed",
             "reason":"\ud834\udd1e\/\b", "event":"used","task":null,"time":"2026-11-21T09:00:00+01:00"}
            """#.replacing("\n", with: " ")
        let event = try HistoryLines.decode(line, number: 1, path: "h")
        #expect(event.time.rfc3339 == "2026-11-21T08:00:00.000Z")
        #expect(event.app == (try Sample.app()))
        #expect(event.task == nil)
        #expect(event.reason == "𝄞/\u{8}")
    }

    static let faults: [(String, String)] = [
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"usd","app":"com.example.A"}"#,
            "h.jsonl:12:40: error: unknown event 'usd'. Did you mean 'used'?"
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"coffee","app":"com.example.A"}"#,
            "h.jsonl:12:40: error: unknown event 'coffee'. A use is recorded as 'used'; docs/history.md names all events."
        ),
        (
            #"{"event":"used","app":"com.example.A"}"#,
            "h.jsonl:12:1: error: 'time' is missing. Every event has 'time', 'event' and 'app'."
        ),
        (
            #"{"time":"yesterday","event":"used","app":"com.example.A"}"#,
            #"h.jsonl:12:9: error: 'time' is "yesterday". Write a time as in RFC 3339, like '2026-11-21T08:00:00.000Z'."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"Feed"}"#,
            #"h.jsonl:12:53: error: 'app' is "Feed". Write a reverse-DNS name like 'com.example.ColorFeed'."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A","run":-1}"#,
            "h.jsonl:12:75: error: 'run' is -1. Write a whole number from 0."
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A","kind":"quick"}"#,
            #"h.jsonl:12:76: error: 'kind' is "quick". Write one of 'refresh', 'processing', 'continued', 'push', 'transfers'."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A","requires":{"idle":3}}"#,
            #"h.jsonl:12:80: error: 'requires' is {"idle":3}. Write an object like {"external_power":true}."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"host"}"#,
            #"h.jsonl:12:53: error: 'app' is "host". Write a reverse-DNS name like 'com.example.ColorFeed'."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"absent","app":"com.example.A"}"#,
            #"h.jsonl:12:55: error: 'app' is "com.example.A". Write 'host', because 'absent' concerns no app."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A","price":"low"}"#,
            #"h.jsonl:12:77: error: 'price' is "low". Write a number."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"conditions","app":"host","shares":{"idle":1.5}}"#,
            #"h.jsonl:12:75: error: 'shares' is {"idle":1.5}. Write an object like {"external_power":0.75}."#
        ),
        // Rows hold keys one a line.
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"conditions","app":"host","shares":{"a\nb":0.5}}"#,
            #"h.jsonl:12:75: error: 'shares' is {"a\nb":0.5}. Write an object like {"external_power":0.75}."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"launched","app":"com.example.A","params":{"a\r":"b"}}"#,
            #"h.jsonl:12:82: error: 'params' is {"a\r":"b"}. Write an object like {"date":"2026-01-01"}."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"failed","app":"com.example.A","reason":"a\u0000b"}"#,
            #"h.jsonl:12:80: error: 'reason' is "a\u0000b". Write a text without \u0000."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"paused","app":"host","by":"anna\nroot"}"#,
            #"h.jsonl:12:67: error: 'by' is "anna\nroot". Write a name of at most 200 bytes in one line."#
        ),
        (
            #"{"time":"2026-11-21T08:00:00Z","event":"paused","app":"host","by":""}"#,
            #"h.jsonl:12:67: error: 'by' is "". Write a name of at most 200 bytes in one line."#
        ),
        (#"{"app":"a.b","app":"a.b"}"#, "h.jsonl:12:14: error: 'app' is there twice. Keep one."),
        (
            "[1]",
            "h.jsonl:12:1: error: a line holds one JSON object, like "
                + #"{"time":"2026-11-21T08:00:00.000Z","event":"used","app":"com.example.ColorFeed"}."#
        ),
        (
            #"{"time":x}"#,
            "h.jsonl:12:9: error: this is not JSON: expected a value. Write one JSON object a line."
        ),
        (
            #"{"time":"2026"#,
            "h.jsonl:12:14: error: this is not JSON: expected '\"' at the end of the text. Write one JSON object a line."
        ),
        (
            #"{"a":1} {"b":2}"#,
            "h.jsonl:12:9: error: this is not JSON: expected the end of the line. Write one JSON object a line."
        ),
        (
            #"{"a":01}"#,
            "h.jsonl:12:8: error: this is not JSON: expected a number without a leading 0. Write one JSON object a line."
        ),
    ]

    @Test(arguments: faults)
    func `that is bad says where, what and what to write`(_ line: String, _ sentence: String) throws {
        let problem = try #require(
            throws: LineProblem.self,
            performing: { try HistoryLines.decode(line, number: 12, path: "h.jsonl") })
        #expect(problem.description == sentence)
    }

    @Test func `cut anywhere or with any byte changed never traps`() throws {
        let line = Array(HistoryLines.encode(try Sample.full()).utf8)
        var random = SeededGenerator(seed: 1)
        for length in 0..<line.count {
            #expect(throws: LineProblem.self) {
                try HistoryLines.decode(Array(line.prefix(length)), number: 1, path: "h")
            }
        }
        for _ in 0..<5000 {
            var bytes = line
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? HistoryLines.decode(bytes, number: 1, path: "h")
        }
    }

    @Test func `nested without bound is refused`() throws {
        let line = "{\"a\":" + String(repeating: "[", count: 100_000)
        #expect(throws: LineProblem.self) { try HistoryLines.decode(line, number: 1, path: "h") }
    }

    /// As many keys as fit: comparing each with all before it would take minutes.
    @Test(.timeLimit(.minutes(20))) func `of a hundred thousand keys is read`() throws {
        var line = #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A""#
        for number in 0..<100_000 { line += ",\"\(number)\":0" }
        #expect(throws: Never.self) { try HistoryLines.decode(line + "}", number: 1, path: "h") }
        #expect(throws: LineProblem.self) {
            try HistoryLines.decode(line + ",\"7\":0}", number: 1, path: "h")
        }
    }

    @Test func `that is not UTF-8 or too long is refused`() throws {
        let invalid = Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let problem = #expect(throws: LineProblem.self) {
            try HistoryLines.decode(invalid, number: 1, path: "h")
        }
        #expect(problem?.fault == .notUTF8)
        let long = [UInt8](repeating: 0x20, count: HistoryLines.lineBytes + 1)
        let other = #expect(throws: LineProblem.self) { try HistoryLines.decode(long, number: 1, path: "h") }
        #expect(other?.fault == .tooLong(bytes: HistoryLines.lineBytes + 1))
    }
}

@Suite struct `A time in RFC 3339` {
    static let times: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
        ("2026-11-21T08:00:00.000Z", 1_795_248_000_000), ("2026-11-21t08:00:00z", 1_795_248_000_000),
        ("2026-11-21 08:00:00Z", 1_795_248_000_000), ("2026-11-21T10:30:00+02:30", 1_795_248_000_000),
        ("2026-11-20T23:00:00-09:00", 1_795_248_000_000), ("2026-11-21T08:00:00.5Z", 1_795_248_000_500),
        ("2026-11-21T08:00:00.1239999Z", 1_795_248_000_123), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ]

    @Test(arguments: times)
    func `is read`(_ text: String, _ milliseconds: Int64) {
        #expect(WallTime(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T08:00Z", "2026-11-21T08:00:00", "2026-11-21T08:00:00.Z",
        "2026-11-21T08:00:00,5Z", "2026-13-21T08:00:00Z", "2026-00-21T08:00:00Z", "2026-02-29T08:00:00Z",
        "2026-11-31T08:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:00:61Z",
        "2026-11-21T08:00:00+1:00", "2026-11-21T08:00:00+24:00", "2026-11-21T08:00:00Zulu",
        "26-11-21T08:00:00Z", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "2026-11-21T08:00:00.99999999999999999999999999999999999999+", " 2026-11-21T08:00:00Z",
    ])
    func `that is none is refused`(_ text: String) {
        #expect(WallTime(rfc3339: text) == nil)
    }

    @Test func `comes back to the millisecond`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let time = WallTime(
                milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
            #expect(WallTime(rfc3339: time.rfc3339) == time)
        }
    }

    @Test func `beyond the years that the format has is its first or last`() {
        #expect(WallTime.distantPast.rfc3339 == "0000-01-01T00:00:00.000Z")
        #expect(WallTime.distantFuture.rfc3339 == "9999-12-31T23:59:59.999Z")
    }
}
