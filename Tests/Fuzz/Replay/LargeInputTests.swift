import Testing

/// A limit on time: each reader reads 64 KiB of its most expensive input. No input may take seconds.
///
/// Each input is a beginning, a part repeated until the input is full, and an end, so a reader that is not linear fails here.
struct LargeInputTests {
    static let bytes = 64 << 10

    static func filled(_ start: String, _ unit: String, _ end: String = "") -> [UInt8] {
        let count = max(1, (bytes - start.utf8.count - end.utf8.count) / unit.utf8.count)
        return Array((start + String(repeating: unit, count: count) + end).utf8)
    }

    static func counted(_ start: String, _ end: String = "", _ unit: (Int) -> String) -> [UInt8] {
        var text = start
        var number = 0
        while text.utf8.count < bytes {
            text += unit(number)
            number += 1
        }
        return Array((text + end).utf8)
    }

    @Test(.timeLimit(.minutes(20))) func `manifests`() throws {
        let settings = "version: 1\napps:\n  com.example.A:\n    settings:\n"
        let inputs = [
            Self.filled("", "["), Self.filled("", "{"), Self.filled("", "- "), Self.filled("", "? "),
            Self.filled("", ": "), Self.filled("", "a: "), Self.filled("", "'"), Self.filled("", "\""),
            Self.filled("", "\"\\"), Self.filled("", "\t"), Self.filled("", "\n"), Self.filled("", "#\n"),
            Self.filled("", "---\n"), Self.filled("", "%Y\n"), Self.filled("", "!a "), Self.filled("", "x"),
            Self.filled("a: ", "|\n"), Self.filled("a: |\n", " x\n"), Self.filled("a: >\n", " x\n\n"),
            Self.filled("a: \"", "\\x41", "\""), Self.filled("a: '", "''", "'"), Self.filled("", "é"),
            Self.filled("a: &a [", "*a, ", "]"), Self.filled("a: &a 1\nb: [", "*a, ", "]"),
            Self.filled("version: 1\nversion: ", "1\nversion: "), Self.filled("", "apps:\n"),
            Self.counted("") { "a\($0): &a\($0) 1\n" }, Self.counted(settings) { "      k\($0): 1\n" },
            Self.counted("version: 1\napps:\n") { "  com.example.A\($0): {}\n" },
            Self.counted("version: 1\napps:\n  com.example.A:\n    tasks:\n") { "      t\($0): {}\n" },
            Self.counted("a0: &a0 [x]\n") { "a\($0 + 1): &a\($0 + 1) [*a\($0), *a\($0)]\n" },
        ]
        for input in inputs { try FuzzCheck.manifest.run(input) }
    }

    @Test(.timeLimit(.minutes(20))) func `histories`() throws {
        let start = #"{"time":"2026-11-21T08:00:00Z","event":"used","app":"com.example.A","#
        let inputs = [
            Self.filled("", "{"), Self.filled("", "\n"), Self.filled("", "{}\n"), Self.filled("", "\""),
            Self.filled("{\"a\":", "["), Self.filled("{\"a\":", "{\"a\":"),
            Self.filled("{\"a\":\"", "\\u0041"),
            Self.filled("{\"a\":", "1"), Self.filled("{\"a\":0.", "1", "}"),
            Self.filled("{\"event\":\"", "a"),
            Self.filled(start + "\"reason\":\"", "\\n", "\"}"),
            Self.filled(start + "\"reason\":\"", "é", "\"}"),
            Self.counted(start, "\"z\":1}") { "\"k\($0)\":\($0)," },
            Self.counted(start + "\"a\":{", "\"z\":1}}") { "\"k\($0)\":\($0)," },
            Self.counted(start + "\"gates\":[", "\"z\"]}") { "\"g\($0)\"," },
            Self.counted("") { "{\"time\":\"2026-11-21T08:00:\($0 % 60)Z\",\"event\":\"usedd\"}\n" },
            Self.filled("", start.dropLast() + "}\n"),
        ]
        for input in inputs { try FuzzCheck.history.run(input) }
    }

    @Test(.timeLimit(.minutes(20)), arguments: [[0], [3], [15, 200]] as [[UInt8]]) func `uses`(mode: [UInt8])
        throws
    {
        let inputs = [
            Self.filled("", "\n"), Self.filled("", ","), Self.filled("", "\""),
            Self.filled("time\n\"", "\"\""),
            Self.filled("", "["), Self.filled("", "[21/Nov/2026:08:00:00 "), Self.filled("", "1"),
            Self.filled("", " "), Self.filled("", "2026-11-21T08:00:00"), Self.filled("", "Nov "),
            Self.filled("", "GET /feed"), Self.filled("time\n", "1763712000\n"),
            Self.filled("", "{\"time\":"),
            Self.filled("", "1763712000\n"), Self.filled("", "{\"time\":1763712000}\n"), Self.filled("", "é"),
            Self.filled("[21/Nov/2026:08:00:00 +0100] \"GET /feed\"", " "),
            Self.filled("", "[21/Nov/2026:08:00:00 +0100] \"GET /feed\"\n"), Self.filled("", "\u{0}"),
        ]
        for input in inputs { try FuzzCheck.usage.run(mode + input) }
    }

    @Test(.timeLimit(.minutes(20))) func `requests of the control socket`() throws {
        let inputs = [
            Self.filled("\u{1}", "["), Self.filled("\u{1}", "{\"a\":"), Self.filled("\u{1}", "{}\n"),
            Self.filled("\u{1}", "1"), Self.filled("\u{1}", "\""), Self.filled("\u{0}", "\u{0}"),
            Self.filled("\u{1}", "{\"version\":2,\"question\":\"status\",\"content\":{}}\n"),
            Self.filled(
                "\u{1}{\"version\":2,\"question\":\"await\",\"content\":{\"run\":1}}\n", "{\"a\":1}\n"),
            Self.counted("\u{1}{", "\"z\":1}") { "\"k\($0)\":\($0)," },
        ]
        for input in inputs { try FuzzCheck.control.run(input) }
    }

    @Test(.timeLimit(.minutes(20))) func `requests to the page`() throws {
        let head = "POST /api/reload HTTP/1.1\r\nHost: localhost\r\n"
        let inputs = [
            Self.filled("", "\n"), Self.filled(head, "X: y\r\n"), Self.filled("GET /", "a"),
            Self.filled(head + "X: ", "a"),
            Self.filled(head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
            Self.filled(head + "Content-Length: 60000\r\n\r\n", "a"),
            Self.filled("", "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n"),
        ]
        for input in inputs { try FuzzCheck.web.run(input) }
    }

    @Test(.timeLimit(.minutes(20))) func `what a plugin prints, and what it asks for`() throws {
        let units = [
            ".", "\n", ".\n", "From ", "é", "\u{0}", "\"", "\\", "=?utf-8?Q?", "e\u{301}", "\u{2028}",
        ]
        for unit in units {
            let text = Self.filled("", unit)
            try FuzzCheck.notice.run([0, 1, 0, 97, 0, 128] + text.prefix(0x8000) + [255, 255] + text)
        }
        for (path, text) in [
            ("/a", Self.filled("", "[")), ("/a", Self.filled("{\"b\":", "[", "")),
            ("", Self.filled("\"", "\\u0041")),
            ("/a", Self.counted("{", "\"a\":1}") { "\"k\($0)\":\($0)," }),
            ("/9999", Self.filled("[", "1,", "1]")),
            (String(repeating: "/0", count: 60), Self.filled("", "[")),
        ] { try FuzzCheck.settings.run([UInt8(path.utf8.count)] + Array(path.utf8) + text) }
    }

    @Test(.timeLimit(.minutes(20))) func `crontabs and units`() throws {
        let inputs = [
            Self.filled("\u{1}", "*/1,"), Self.filled("\u{1}", "#\n"),
            Self.filled("\u{1}* * * * * ", "x;"), Self.filled("\u{1}* * * * * ", "%"),
            Self.filled("\u{0}", "@daily "),
            Self.filled("\u{1}", "A=b\n"), Self.filled("\u{1}", "\u{0}"),
            Self.filled("\u{1}0 ", "1-2,", " * * * x"),
            Self.counted("\u{1}") { "\($0 % 60) * * * * /bin/x\($0)\n" },
        ]
        for input in inputs { try FuzzCheck.move.run(input) }
    }

    @Test(.timeLimit(.minutes(20))) func `what is said of a transfer`() throws {
        let note = "\u{1}{\"version\":1,\"url\":\"u\",\"status\":200,\"sent\":0,\"headers\":["
        let head = "\u{3}HTTP/1.1 206\n"
        let inputs = [
            Self.filled(note, "[\"\",\"\"],", "[\"\",\"\"]]}"), Self.filled(note, "["),
            Self.filled(note + "[\"", "\\u0000", "\",\"\"]]}"),
            Self.filled(head, "a:b\n"), Self.filled(head, "HTTP/1.1 206\n"), Self.filled(head + "a:", " "),
            Self.filled(head, "content-range: bytes 0-1/2\n"), Self.filled(head + "digest: ", "md5=,"),
            Self.filled(head + "content-md5: ", "A"), Self.filled("\u{0}\u{2}", "\u{8}"),
        ]
        for input in inputs { try FuzzCheck.transfer.run(input) }
    }

    @Test(.timeLimit(.minutes(20))) func `what a worker says`() throws {
        func script(_ pieces: [[UInt8]]) -> [UInt8] {
            Array(
                pieces.map { [UInt8($0.count & 0xFF), UInt8($0.count >> 8)] + $0 }.joined().prefix(Self.bytes)
            )
        }
        let hello: [UInt8] = [66, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let pending: [UInt8] = [71, 1, 0, 0, 0, 0, 0, 0, 0]
        let launch: [UInt8] = [0, 0]
        let answer: [UInt8] = [3, 0]
        func many(_ pieces: [UInt8]...) -> [UInt8] {
            script([hello] + [[[UInt8]]](repeating: pieces, count: 9000).joined())
        }
        for input in [many(pending), many(pending, answer), many(launch), many([5], [6]), many([255])] {
            try FuzzCheck.worker.run(input)
        }
        let began = (0..<4000).map { number -> [UInt8] in
            [78, UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 97]
        }
        try FuzzCheck.worker.run(script([hello] + began))
    }
}
