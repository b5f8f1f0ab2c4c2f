import Testing

@testable import LullImport

/// Lines as crontab(5) reads them.
struct CrontabLineTests {
    private func line(_ text: String) -> CrontabLine { CrontabLine(Array(text.utf8)) }

    @Test(arguments: [
        ("A=1", "A", "1"), ("  A  =  b c  ", "A", "b c"), ("A='b  '", "A", "b"), ("A=\"\"", "A", ""),
        ("\"A\" = \"b\"", "A", "b"), ("A=$HOME/bin", "A", "$HOME/bin"), ("A=b # c", "A", "b # c"),
        ("MAILTO=", "MAILTO", ""), ("A==b", "A", "=b"), ("A=\"'b'\"", "A", "b"), ("A=' b'", "A", " b"),
        ("A=\"b\" \r", "A", "b"), ("=b", "", "b"),
    ])
    func `a variable is a name and the rest of the line, without expansion`(
        text: String, name: String, value: String
    ) {
        #expect(line(text) == .variable(name: name, value: value))
    }

    @Test(arguments: [
        ("0 5 * * 1-5 a=b c", "0 5 * * 1-5", "a=b c"), ("\t*/5\t*  * * *\tx  y ", "*/5 * * * *", "x  y "),
        ("@daily x", "@daily", "x"), ("-@daily x", "@daily", "x"), ("-5 0 * * * x", "5 0 * * *", "x"),
        ("0 0 * * * # x", "0 0 * * *", "# x"), ("0 0 * * * x\r", "0 0 * * *", "x"),
    ])
    func `a job is a schedule and what follows it`(text: String, schedule: String, rest: String) {
        #expect(line(text) == .job(schedule: schedule, rest: rest))
    }

    @Test func `comments and blank lines are told from both`() {
        #expect(line("  # a = b") == .comment("a = b"))
        #expect(line("## 0 5 * * * x") == .comment("# 0 5 * * * x"))
        #expect(line(" \t") == .blank)
    }

    @Test(arguments: [
        ("0 5 * * x", CrontabLine.Fault.noCommand), ("0 5 * *", .tooFewFields),
        ("hello world", .tooFewFields),
        ("@daily", .noCommand), ("0 0 * * * a\u{1}b", .control), ("A='b' c", .quotes), ("A=\"b", .quotes),
        ("\"A=B\" = c", .tooFewFields),
    ])
    func `what cron could not use is named`(text: String, fault: CrontabLine.Fault) {
        #expect(line(text) == .broken(fault))
    }

    @Test func `bytes that are no text are named, and a comment of them is kept`() {
        #expect(CrontabLine([0x30, 0xFF]) == .broken(.notUTF8))
        #expect(CrontabLine([0x23, 0x20, 0xFF]) == .comment("\u{FFFD}"))
        #expect(CrontabLine(Array(repeating: 0x61, count: CrontabFile.lineLimit + 1)) == .broken(.tooLong))
    }

    @Test(
        arguments: [
            ("a", "a", nil), ("a%b", "a", "b\n"), ("a%b%c%", "a", "b\nc\n"), ("a%", "a", nil),
            ("a %% b", "a", "\n b\n"),
            (#"date +\%F"#, "date +%F", nil), (#"a\\%b"#, #"a\"#, "b\n"), (#"a%b\%c"#, "a", "b%c\n"),
            (#"a\nb"#, #"a\nb"#, nil), (#"a%b\nc"#, "a", "b\\nc\n"), (#"a%b\"#, "a", "b\\\n"),
            (#"a%\"#, "a", "\\"), ("a%b  ", "a", "b  \n"), (#"a\  "#, #"a\ "#, nil),
            (#"\\d \\\%"#, #"\d \%"#, nil),
        ] as [(String, String, String?)])
    func `a percent sign ends the command, and what follows is read by it`(
        field: String, command: String, input: String?
    ) {
        let read = CrontabCommand(field)
        #expect(read.command == command)
        #expect(read.input == input)
    }

    @Test func `cronie leaves two backslashes as they are, and what is in quotes too`() {
        #expect(CrontabCommand(#"a\\b\%%c"#, by: .cronie).command == #"a\\b%"#)
        #expect(CrontabLine(Array("A=\"'b' \"".utf8), by: .cronie) == .variable(name: "A", value: "'b' "))
    }
}
