import LullModel
import Testing

@Suite struct `The last lines that a run printed` {
    private func lines(_ pieces: (String, isError: Bool)...) -> [String] {
        var last = LastLines()
        for (text, isError) in pieces { last.append(Array(text.utf8), isError: isError) }
        return last.lines
    }

    @Test func `are those of both streams, as they came`() {
        #expect(
            lines(("sending\n", false), ("no space\n", true), ("bye\n", false)) == [
                "sending", "no space", "bye",
            ])
        #expect(lines(("50 %", false), ("no sp", true), ("ace\n", true)) == ["no space", "50 %"])
        #expect(lines(("50 %", false), ("no space", true)) == ["50 %", "no space"])
        #expect(lines() == [])
        #expect(lines((" \n\t\n", false)) == [])
    }

    @Test(
        arguments: [
            (
                "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 7 [running]:\nmain.load(...)\n"
                    + "\t/src/load.go:12\nmain.main()\n\t/src/main.go:7 +0x1d\n",
                ["panic: runtime error: index out of range [5] with length 3"]
            ),
            (
                "\nthread 'worker-2' (41) panicked at src/lib.rs:88:14:\ncalled `Option::unwrap()` on a `None` value\n"
                    + "stack backtrace:\n   0: __rustc\n   1: core\n   2: run\nnote: Some details are omitted\n",
                [
                    "thread 'worker-2' (41) panicked at src/lib.rs:88:14:",
                    "called `Option::unwrap()` on a `None` value",
                ]
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector\n"
                    + "#0 one\n#1 two\n#2 three\n#3 four\n",
                ["terminate called after throwing an instance of 'std::out_of_range'", "  what():  vector"]
            ),
            (
                "Feed/Store.swift:31: Fatal error: Index out of range\nat one\nat two\nat three\nat four\n",
                ["Feed/Store.swift:31: Fatal error: Index out of range"]
            ),
        ])
    func `begin with the one that names the cause, where a trace follows`(text: String, cause: [String]) {
        let trace = (1...40).map { "frame \($0)\n" }.joined()
        for text in [text, text + trace] {
            let whole = lines((text, true))
            #expect(whole.starts(with: cause) && whole.count <= LastLines.most)
            let short = PrintedLast(sentence: "", lines: whole).inOneLine
            #expect(short.contains("\"\(cause[0])\""), "\(short)")
            var last = LastLines()
            for byte in text.utf8 { last.append([byte], isError: true) }
            #expect(last.lines == whole)
        }
    }

    @Test func `are the last ones where words of a cause stand in the middle of a line`() {
        let text = "no panic: all is well\nit panicked at noon\none\ntwo\nthree\n"
        let last = PrintedLast(sentence: "", lines: lines((text, true))).inOneLine
        #expect(last.hasSuffix(#": "one" / "two" / "three""#), "\(last)")
    }

    @Test func `are twelve at most, in order, whatever they come in`() {
        let text = (1...15).map { "line \($0)\n" }.joined(separator: "\n") + "open"
        let whole = lines((text, true))
        #expect(whole == (5...15).map { "line \($0)" } + ["open"])
        var last = LastLines()
        for byte in text.utf8 { last.append([byte], isError: true) }
        #expect(last.lines == whole)
    }

    @Test func `are those that say most: none that points at another, and none twice`() {
        let traceback = """
            Traceback (most recent call last):
              File "/srv/feed.py", line 3, in <module>
                open("/nosuch")
                ~~~~^^^^^^^^^^^
            FileNotFoundError: [Errno 2] No such file
            """
        #expect(
            lines((traceback, true)) == [
                "Traceback (most recent call last):", "  File \"/srv/feed.py\", line 3, in <module>",
                "    open(\"/nosuch\")",
                "FileNotFoundError: [Errno 2] No such file",
            ])
        let again =
            "trying\n" + String(repeating: "curl: (7) Failed to connect\n", count: 200)
            + "curl: (7) Failed to connect"
        let whole = lines((again, true))
        #expect(whole.last == "curl: (7) Failed to connect" && whole.count { $0.hasPrefix("curl") } == 1)
        var last = LastLines()
        for byte in again.utf8 { last.append([byte], isError: true) }
        #expect(last.lines == ["trying", "curl: (7) Failed to connect"])
        #expect(lines(("a | b\n- item\n--\n", true)) == ["a | b", "- item", "--"])
    }

    @Test func `of a flood are its last ones, in whatever pieces it comes`() {
        let flood = Array((0..<5_000).map { "line \($0)\n\n" }.joined().utf8)
        for size in [1 << 16, 4_096, 777, 13] {
            var last = LastLines()
            for start in stride(from: 0, to: flood.count, by: size) {
                last.append(Array(flood[start..<min(start + size, flood.count)]), isError: true)
            }
            #expect(last.lines == (4988..<5_000).map { "line \($0)" })
        }
    }

    @Test func `of a crash end before the runtime's backtrace`() {
        let crash =
            "Feed.swift:3: Fatal error: Index out of range\nswift-runtime: a thread is missing\n\n*** Sig"
        let last = lines((crash, true), ("nal 4: Backtracing from 0x7f\nThread 0\n", true), ("late\n", true))
        #expect(last == ["Feed.swift:3: Fatal error: Index out of range"])
    }

    @Test func `of a crash without words of its own begin with what the runtime says of it`() {
        let cause = "*** Program crashed: Bad pointer dereference at 0x8 ***"
        let trace = "\n" + cause + "\n\nThread 0 crashed:\n\n0 run() + 12 in Feed\n"
        #expect(lines(("working\n", false), (trace, true)) == [cause, "working"])
        // The runtime may say before that it begins to look.
        let looking = "*** Signal 11: Backtracing from 0x7f...\n"
        #expect(lines(("working\n", false), (looking, true), (trace, true)) == [cause, "working"])
        #expect(lines((looking + trace, true)) == [cause])
        let fatal = "Feed.swift:3: Fatal error: no\n"
        #expect(lines((fatal + trace, true)) == ["Feed.swift:3: Fatal error: no"])
    }

    @Test func `hold nothing that steers a terminal`() {
        #expect(
            lines(("\u{1B}[31mred\u{1B}[0m and\u{7} \u{202E}turned\u{1B}]0;title\u{7}\n", true))
                == ["red and␇ \u{FFFD}turned"])
        var last = LastLines()
        last.append([0x63, 0x61, 0x66, 0xE9, 0x00, 0x0A], isError: true)
        #expect(last.lines == ["caf\u{FFFD}␀"])
    }

    @Test func `of a progress bar are its last state`() {
        #expect(lines(("  1 %\r 50", false), (" %\r100 %\r", false), ("\n", false)) == ["100 %"])
        #expect(lines(("a line of DOS\r\n", false)) == ["a line of DOS"])
    }

    @Test func `are short, whatever they are made of`() {
        var last = LastLines()
        for _ in 0..<8 { last.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16), isError: true) }
        #expect(last.lines == [String(repeating: "x", count: 200) + "…"])
        let hills = lines(
            (String(repeating: "e" + String(repeating: "\u{301}", count: 40), count: 300), true))
        #expect(hills.allSatisfy { $0.utf8.count < 330 })
        let wide = (1...15).map { "\($0)" + String(repeating: "\u{1F980}", count: 300) + "\n" }.joined()
        let crabs = lines((wide, true))
        #expect(crabs.reduce(0) { $0 + $1.utf8.count } < Limits.quotedBytes)
    }
}

@Suite struct `A reason that quotes what was printed` {
    @Test func `is taken apart and put together again`() {
        let told = PrintedLast(sentence: "it failed.", lines: ["one", "two"])
        #expect(told.reason == "it failed; it printed last: one\ntwo")
        #expect(told.inOneLine == "it failed; it printed last: \"one\" / \"two\"")
        #expect(PrintedLast(told.reason) == PrintedLast(sentence: "it failed", lines: ["one", "two"]))
        #expect(PrintedLast("it failed.").reason == "it failed.")
        #expect(PrintedLast("it failed.").lines == [])
    }

    @Test(arguments: [
        (
            "dd: error writing '/mnt/small': No space left on device|17+0 records in|16+0 records out|1048576 bytes copied",
            "dd: error writing '/mnt/small': No space left on device|16+0 records out|1048576 bytes copied"
        ),
        (
            "tar (child): x.tgz: Cannot open: Permission denied|tar (child): Error is not recoverable: exiting now|"
                + "tar: x.tgz: Cannot write: Broken pipe|tar: Child returned status 2|tar: Error is not recoverable: exiting now",
            "tar (child): x.tgz: Cannot open: Permission denied|tar: Child returned status 2|"
                + "tar: Error is not recoverable: exiting now"
        ),
        ("0 errors, 3 warnings|one|two|three", "one|two|three"),
        ("one|two|fatal: no remote|three", "two|fatal: no remote|three"),
        ("error: no", "error: no"),
    ])
    func `is told in few lines by the first that names an error, and the last ones`(
        lines: String, few: String
    ) {
        let told = PrintedLast(sentence: "it failed", lines: lines.split(separator: "|").map(String.init))
        #expect(told.telling(3) == few.split(separator: "|").map(String.init))
    }
}
