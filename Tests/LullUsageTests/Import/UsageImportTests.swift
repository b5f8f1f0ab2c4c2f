import LullModel
import TestSupport
import Testing

@testable import LullUsage

@Suite struct UsageImportTests {
    private static let noon: Int64 = 1_795_176_000  // 2026-11-20 12:00 UTC

    /// Each line has one use at noon UTC on 20 November 2026.
    @Test(arguments: [
        (#"192.0.2.7 - - [20/Nov/2026:13:00:00 +0100] "GET /feed HTTP/1.1" 200 512"#, ImportFormat.common),
        (
            #"192.0.2.7 - kim [20/Nov/2026:12:00:00 +0000] "GET /feed, please" 200 5 "-" "Browser/1.0 (a,b)""#,
            .common
        ),
        (#"{"level":"info","time":"2026-11-20T12:00:00Z","tags":["a,b"]}"#, .jsonl),
        (#"{"ts":1795176000}"#, .jsonl),
        (#"{"ts":1795176000.25}"#, .jsonl),
        (#"{"@timestamp":"2026-11-20T13:00:00.000+01:00"}"#, .jsonl),
        (#"{"timestamp":1795176000123}"#, .jsonl),
        (#"  {"timestamp":"1795176000"}"#, .jsonl),
        ("1795176000", .csv),
        ("1795176000000", .csv),
        ("2026-11-20T12:00:00Z", .csv),
        ("2026-11-20 12:00", .csv),
        ("2026-11-20 13:00:00 +0100,x", .csv),
        ("name,time\nx,2026-11-20T12:00:00Z", .csv),
        ("Name,Date,Sum\n\"a,b\",\"2026-11-20 12:00:00\",3", .csv),
        ("17,\"say \"\"hello\"\",\nkim\",1795176000\r\n", .csv),
        ("\u{FEFF}timestamp\n1795176000\n", .csv),
    ])
    func `a file's format and time are told by what is in it`(text: String, format: ImportFormat) throws {
        let read = try ImportSample.read(text)
        #expect(read.format == format)
        #expect(read.problems.map(\.description) == [])
        #expect(try ImportSample.sessions(read) == [Self.noon])
        #expect(read.lines == 1)
    }

    @Test func `uses less than half an hour apart are one, and at most one counts in half an hour`() throws {
        let minutes: [Int64] = [0, 29, 31, 45, 59, 61, 200]
        let text = minutes.map { "\(Self.noon - 86_400 + $0 * 60)\n" }.joined()
        let read = try ImportSample.read(text)
        #expect(try ImportSample.sessions(read).map { ($0 - Self.noon + 86_400) / 60 } == [0, 31, 61, 200])
        #expect(read.apps[try ImportSample.app()]?.uses == 7)
    }

    @Test func `only lines that match count, and only their times are kept`() throws {
        let text = """
            192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /feed HTTP/1.1" 200 5
            192.0.2.7 - - [20/Nov/2026:11:00:00 +0000] "GET /other HTTP/1.1" 200 5
            192.0.2.7 - - [20/Nov/2026:12:00:00 +0000] "POST /feed HTTP/1.1" 200 5
            """
        let read = try ImportSample.read(text) { $0.match = "(GET|POST) /feed " }
        #expect(try ImportSample.sessions(read) == [Self.noon - 7200, Self.noon])
        #expect((read.lines, read.unmatched, read.refused) == (3, 1, 0))
    }

    @Test(arguments: [
        ("2026-11-20 12:00:00 up\n", ImportTime.format(.strptime("%Y-%m-%d %H:%M:%S")), ImportFormat.common),
        ("host=a 2026-11-20T12:00:00Z up\n", .format(.rfc3339), .common),
        ("1795176000.123    52 192.0.2.7 HIT\n", .unix, .common),
        ("20.11.2026 12:00;x\n", .format(.strptime("%d.%m.%Y %H:%M")), .common),
        ("when,what\n20.11.2026 12:00,x\n", .format(.strptime("%d.%m.%Y %H:%M")), .csv),
    ])
    func `a time in a way of its own is read as it is said to be written`(
        text: String, time: ImportTime, format: ImportFormat
    ) throws {
        let read = try ImportSample.read(text) {
            $0.time = time
            $0.format = format
            if format == .csv { $0.column = "when" }
        }
        #expect(read.problems.map(\.description) == [])
        #expect(try ImportSample.sessions(read) == [Self.noon])
    }

    @Test func `a time without an offset is meant in the zone that is named`() throws {
        let berlin = Zone(name: "Europe/Berlin", initialOffset: 3600)
        let read = try ImportSample.read("2026-11-20 13:00") { $0.zone = berlin }
        #expect(try ImportSample.sessions(read) == [Self.noon])
    }

    @Test func `the column is named or numbered`() throws {
        let text = "made,sold\n2026-11-20T00:00:00Z,2026-11-20T12:00:00Z\n"
        for column in ["sold", "SOLD", "2"] {
            let read = try ImportSample.read(text) { $0.column = column }
            #expect(try ImportSample.sessions(read) == [Self.noon])
            #expect(read.lines == 1)
        }
    }

    @Test func `the field is named, also within another`() throws {
        let text = #"{"time":"2026-11-20T00:00:00Z","a":{"b":1795176000}}"#
        #expect(try ImportSample.sessions(try ImportSample.read(text) { $0.field = "a.b" }) == [Self.noon])
        let dotted = #"{"a.b":1795176000,"a":{"b":1}}"#
        #expect(try ImportSample.sessions(try ImportSample.read(dotted) { $0.field = "a.b" }) == [Self.noon])
    }

    @Test func `uses before since are left out and counted`() throws {
        let read = try ImportSample.read("\(Self.noon - 7200)\n\(Self.noon)\n") {
            $0.since = WallTime(seconds: Self.noon)
        }
        #expect(try ImportSample.sessions(read) == [Self.noon])
        #expect(read.beforeSince == 1)
    }

    @Test func `a usage file holds the uses of many apps`() throws {
        let text = """
            app,unix_seconds,utc_offset_minutes
            com.example.A,1795176000,60
            com.example.B,1795179600,60
            com.example.A,1795183200,-30
            """
        let all = try ImportSample.read(text) { $0.app = nil }
        #expect(try ImportSample.sessions(all, of: "com.example.A") == [Self.noon, Self.noon + 7200])
        #expect(try ImportSample.sessions(all, of: "com.example.B") == [Self.noon + 3600])
        let one = try ImportSample.read(text) { $0.app = try? ImportSample.app("com.example.B") }
        #expect(try ImportSample.sessions(one, of: "com.example.B") == [Self.noon + 3600])
        #expect(one.unmatched == 2)
    }

    @Test func `names of apps may be given what makes them identifiers`() throws {
        let read = try ImportSample.read("app,unix_seconds\napp7,1795176000\n") {
            $0.app = nil
            $0.prefix = "com.example"
        }
        #expect(try ImportSample.sessions(read, of: "com.example.app7") == [Self.noon])
    }

    @Test func `an empty file has no uses`() throws {
        let read = try ImportSample.read("\n\n")
        #expect(read.lines == 0)
        #expect(read.apps.isEmpty)
    }

    @Test func `a compressed file is told by its bytes`() throws {
        let folder = try TemporaryFolder()
        let text = (0..<20_000).map { "\(Self.noon - Int64($0) * 3600)\n" }.joined()
        let path = try folder.write(text, to: "uses.csv")
        try folder.run("gzip", "-k", path)
        try folder.run("mv", "uses.csv.gz", "packed")
        let packed = try UsageImport.read(folder.path + "/packed", options: try ImportSample.options())
        let plain = try UsageImport.read(path, options: try ImportSample.options())
        #expect(try ImportSample.sessions(packed).count == 20_000)
        #expect(try ImportSample.sessions(packed) == ImportSample.sessions(plain))
    }

    @Test func `a repository's commits are uses, those of one author if asked`() throws {
        let folder = try TemporaryFolder()
        try folder.run("git", "init", "-q")
        for (hour, author) in [(0, "kim"), (1, "lee"), (2, "kim")] {
            let name = "user.name=\(author)"
            let mail = "user.email=\(author)@example.com"
            try folder.run(
                "git", "-c", name, "-c", mail, "commit", "-q", "--allow-empty", "-m", "x",
                at: Self.noon + Int64(hour) * 3600)
        }
        let all = try UsageImport.read(folder.path, options: try ImportSample.options())
        #expect(all.format == .git)
        #expect(try ImportSample.sessions(all) == [Self.noon, Self.noon + 3600, Self.noon + 7200])
        let options = try ImportSample.options { $0.author = "kim@example.com" }
        let one = try UsageImport.read(folder.path, options: options)
        #expect(try ImportSample.sessions(one) == [Self.noon, Self.noon + 7200])
    }
}
