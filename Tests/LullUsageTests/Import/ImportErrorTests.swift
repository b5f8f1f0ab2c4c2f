import LullModel
import TestSupport
import Testing

@testable import LullUsage

/// Every error that a file of uses can cause.
@Suite struct ImportErrorTests {
    private static let automatic =
        "RFC 3339 like 2026-11-21T08:00:00Z, '2026-11-21 08:00', or the seconds or milliseconds since 1970"

    @Test(arguments: [
        (
            "1795176000\nabc\n", ImportFormat.csv,
            "uses:2:1: error: 'abc' is not a time: expected \(automatic). Correct it, or say with --time how it is written."
        ),
        (
            "x,time\n1,1795176000\n2,\"20\u{1B}[31m26\"\n", .csv,
            "uses:3:4: error: '20\u{FFFD}[31m26' is not a time: expected \(automatic). Correct it, or say with --time "
                + "how it is written."
        ),
        (
            "time\n2026-11-22T08:00:00Z", .csv,
            "uses:2:1: error: 2026-11-22T08:00:00Z is in the future. Check the clock that wrote it, and the zone "
                + "(--zone) if no offset is written."
        ),
        (
            "time\n17", .csv,
            "uses:2:1: error: 1970-01-01T00:00:17Z is before 2000. Correct it, or say with --time which unit it has "
                + "(unix or unix_ms)."
        ),
        (
            "x,time\n1\n", .csv,
            "uses:2:1: error: there is 1 column, but the time is in column 2. Complete the record, or say with "
                + "--column where the time is."
        ),
        (
            "time,x\n1795176000,\"a\nb\n", .csv,
            "uses:2:12: error: the quotation mark that opens here is not closed. Close it, and write a quotation "
                + "mark within a field as two."
        ),
        (
            "time,x\n1795176000,\"a\"b\n", .csv,
            "uses:2:15: error: something follows the closing quotation mark. Put a comma there, and write a "
                + "quotation mark within a field as two."
        ),
        (
            "GET /feed", .common,
            "uses:1:1: error: there is no time here: expected a time as the common log format has it, like "
                + "[21/Nov/2026:08:00:00 +0100]. Say with --time how it is written, or with --match which lines count."
        ),
        (
            "[31/Feb/2026:08:00:00 +0100]", .common,
            "uses:1:1: error: there is no time here: expected a time as the common log format has it, like "
                + "[21/Nov/2026:08:00:00 +0100]. Say with --time how it is written, or with --match which lines count."
        ),
        (
            #"{"when":1}"#, .jsonl,
            "uses:1:1: error: there is none of the fields 'time', 'timestamp', 'ts', '@timestamp'. Say with --field "
                + "which one holds the time, or with --match which lines count."
        ),
        (
            #"{"a":1,"time":true}"#, .jsonl,
            "uses:1:15: error: 'true' is not a time: expected \(automatic). Correct it, or say with --time how it is "
                + "written."
        ),
        (
            "[1]", .jsonl,
            "uses:1:1: error: a line holds one JSON object. Write it like {\"time\":\"2026-11-21T08:00:00Z\"}."
        ),
        (
            #"{"time":"#, .jsonl,
            "uses:1:9: error: this is not JSON: expected a value. Write one JSON object a line."
        ),
        (
            #"{"time":1,"time":2}"#, .jsonl,
            "uses:1:11: error: 'time' is there twice. Write one JSON object a line."
        ),
    ])
    func `a bad line is named with its place and what to do`(
        text: String, format: ImportFormat, expected: String
    ) throws {
        let read = try ImportSample.read(text) { $0.format = format }
        #expect(read.problems.map(\.description) == [expected])
        #expect(read.refused == 1)
    }

    @Test func `a line that is too long is named and the next is read`() throws {
        let text = String(repeating: "x", count: 70_000) + "\n[20/Nov/2026:12:00:00 +0000]\n"
        let read = try ImportSample.read(text) { $0.format = .common }
        #expect(
            read.problems.map(\.description) == [
                "uses:1:1: error: the line is longer than 65536 bytes. Is this text with one use a line? "
                    + "Give its format with `--format`."
            ])
        #expect(try ImportSample.sessions(read) == [1_795_176_000])
    }

    @Test func `an app's name that is none is named`() throws {
        let read = try ImportSample.read("unix_seconds,app\n1795176000,a b\n") { $0.app = nil }
        #expect(
            read.problems.map(\.description) == [
                "uses:2:12: error: 'a b' is not an app's identifier. Write a reverse-DNS name like "
                    + "com.example.ColorFeed, or put one before it: --prefix com.example."
            ])
    }

    @Test func `twenty bad lines are named and the rest is counted, the good ones read`() throws {
        let text = String(repeating: "abc\n", count: 33) + "1795176000\n"
        let read = try ImportSample.read(text) {
            $0.format = .csv; $0.column = "1"
        }
        #expect(read.problems.count == 20)
        // The first line has no digits: it is a heading.
        #expect(read.refused == 32)
        #expect(try ImportSample.sessions(read) == [1_795_176_000])
    }

    @Test(arguments: [
        ("hello world", nil, "uses:1:1: error: 'hello world' does not show which format this is."),
        ("a,b\n1,2\n", nil, "uses:1:1: error: no column is named or holds a time; there are 'a', 'b'."),
        ("a,b\n1,2\n", "c", "uses:1:1: error: no column is named 'c'; there are 'a', 'b'."),
    ])
    func `a file that can't be read as a whole says why`(text: String, column: String?, expected: String)
        throws
    {
        let error = #expect(throws: ImportError.self) { try ImportSample.read(text) { $0.column = column } }
        #expect(error?.message == expected)
        #expect(error?.fix.hasSuffix(".") == true)
    }

    @Test func `nobody says of which app the uses are`() throws {
        for text in ["1795176000", "[20/Nov/2026:12:00:00 +0000]", #"{"ts":1}"#] {
            #expect(throws: ImportError.noApp(path: "uses")) { try ImportSample.read(text) { $0.app = nil } }
        }
        #expect(
            ImportError.noApp(path: "uses").message
                == "uses: error: nothing says which app these uses are of.")
    }

    @Test func `a pattern that is none is refused`() throws {
        let error = #expect(throws: ImportError.self) {
            try ImportSample.read("1795176000") { $0.match = "(" }
        }
        #expect(error?.message == "--match: error: '(' is not a POSIX extended regular expression.")
    }

    @Test func `files that can't be opened, folders and damaged ones are named`() throws {
        let folder = try TemporaryFolder()
        let options = try ImportSample.options()
        func error(_ path: String) -> ImportError? {
            #expect(throws: ImportError.self) { try UsageImport.read(path, options: options) }
        }
        #expect(
            error(folder.path + "/none")?.message
                == "\(folder.path)/none: error: the file can't be read: No such file or directory.")
        #expect(
            error(folder.path)?.message
                == "\(folder.path): error: this is a folder without a Git repository.")
        let damaged = try folder.write([0x1F, 0x8B, 8, 0, 1, 2, 3], to: "damaged.gz")
        #expect(
            error(damaged)?.message.hasPrefix(
                "\(damaged): error: the compressed file is damaged: gzip says '")
                == true)
        let wide = try folder.write([0xFF, 0xFE, 0x31, 0], to: "wide")
        #expect(error(wide)?.message == "\(wide): error: this text is UTF-16.")
        let git = try ImportSample.options { $0.format = .git }
        let empty = #expect(throws: ImportError.self) { try UsageImport.read(folder.path, options: git) }
        #expect(empty?.message.hasPrefix("\(folder.path): error: `git` can't read it: '") == true)
    }
}
