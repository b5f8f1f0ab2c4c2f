import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullNotices

enum Sample {
    static func notice(
        _ kind: NoticeKind = .failed, reason: String = "run 17 failed after 3 s: exit code 2",
        covers: Int? = nil
    ) throws -> Notice {
        Notice(
            id: 7, kind: kind, sink: "journal", app: try #require(AppIdentifier("com.example.Feed")),
            task: TaskIdentifier("com.example.Feed.refresh"), run: RunID(17),
            time: WallTime(seconds: 1_795_000_000), reason: reason, covers: covers)
    }

    static func message(_ reason: String = "exit code 2", output: String? = nil) throws -> NoticeMessage {
        NoticeMessage(try notice(reason: reason), host: "web1", output: output)
    }
}

@Suite struct `A notice` {
    @Test func `says on one line what happened to whom and where`() throws {
        #expect(try Sample.message().subject == "[lull] web1: com.example.Feed.refresh failed")
        let summary = NoticeMessage(try Sample.notice(covers: 12), host: "web1")
        #expect(summary.subject == "[lull] web1: 12 more notices")
        // An app's words never look like the host's own.
        var notice = try Sample.notice(.notification)
        notice.said = NoticeText(title: "com.example.Backup.nightly failed")
        #expect(
            NoticeMessage(notice, host: "web1").subject
                == "[lull] web1: com.example.Feed says: com.example.Backup.nightly failed")
        let test = NoticeMessage(try Sample.notice(), host: "web1", isTest: true)
        #expect(test.subject == "[lull] web1: this is a test of com.example.Feed.refresh")
    }

    @Test func `is an object of JSON whatever was printed`() throws {
        let message = try Sample.message("a \"b\"\n\u{1}", output: "x\u{0}y\n\"☃\"\\")
        let object =
            try JSONSerialization.jsonObject(with: Data(message.json.utf8)) as? [String: Any]
        #expect(object?["reason"] as? String == "a \"b\"\n\u{1}")
        #expect(object?["output"] as? String == "x\u{0}y\n\"☃\"\\")
        #expect(object?["run"] as? Int == 17)
        #expect(object?["kind"] as? String == "failed")
        #expect(!message.json.contains("\n"))
    }

    @Test func `keeps the beginning and the end of a long output`() throws {
        let output = "first\n" + String(repeating: "x", count: 100_000) + "\nlast"
        let kept = try #require(try Sample.message(output: output).output)
        #expect(kept.utf8.count < NoticeMessage.outputBytes + 200)
        #expect(kept.hasPrefix("first\n") && kept.hasSuffix("\nlast"))
        #expect(kept.contains("bytes left out"))
    }

    @Test func `quotes what was printed last below its sentence`() throws {
        let told = PrintedLast(
            sentence: "run 17 failed: exit code 2.", lines: ["Traceback", "KeyError: 'a'"])
        let message = try Sample.message(told.reason)
        #expect(
            message.text.hasPrefix(
                "com.example.Feed.refresh: run 17 failed: exit code 2\n    Traceback\n    KeyError: 'a'\n\nwhen "
            ))
        let reason = #"run 17 failed: exit code 2; it printed last: "Traceback" / "KeyError: 'a'""#
        #expect(message.variables.contains { $0 == ("LULL_REASON", reason) })
    }

    @Test func `gives a command variables without line ends or zeros`() throws {
        let message = try Sample.message("a\nb\0c")
        #expect(message.variables.allSatisfy { !$0.value.contains("\0") && !$0.value.contains("\n") })
        #expect(message.variables.contains { $0 == ("LULL_RUN", "17") })
    }
}

@Suite struct `A mail` {
    private func headers(_ message: NoticeMessage, to address: String = "ops@example.org") -> [String] {
        let text = MailMessage(to: address, message: message).text
        return text.components(separatedBy: "\n\n")[0].components(separatedBy: "\n")
    }

    @Test func `has the headers that sendmail needs, and one body`() throws {
        let text = MailMessage(to: "ops@example.org", message: try Sample.message(output: "out\n")).text
        #expect(
            text.hasPrefix("To: ops@example.org\nSubject: [lull] web1: com.example.Feed.refresh failed\n"))
        #expect(text.contains("\nAuto-Submitted: auto-generated\n"))
        #expect(text.contains("\nMessage-ID: <lull.7.1795000000000@web1>\n"))
        #expect(text.contains("\n\ncom.example.Feed.refresh: exit code 2\n"))
        #expect(text.hasSuffix("\nOutput:\nout\n"))
    }

    @Test(arguments: [
        "x\r\nBcc: all@example.org", "x\nTo: all@example.org\n\nbody", "\u{2028}Bcc: a@example.org",
        "=?utf-8?Q?=0ABcc:_a@example.org?=", "\u{85}Cc: a@example.org", String(repeating: "ä", count: 3000),
    ])
    func `gets no header from what a plugin says, or from a host's name`(words: String) throws {
        var notice = try Sample.notice(reason: words)
        notice.time = WallTime(seconds: 0)
        let message = NoticeMessage(notice, host: words, output: words)
        let names = headers(message).filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding", "X-Lull-Kind", "X-Lull-App", "X-Lull-Task",
            ])
        for line in headers(message) {
            #expect(line.utf8.count <= 250)
            #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        }
    }

    @Test func `encodes a subject that is no ASCII, and a relay can fold it`() {
        let words = MailMessage.encodedWords("größe ☃")
        #expect(words == "=?utf-8?Q?gr=C3=B6=C3=9Fe_=E2=98=83?=")
        let long = MailMessage.encodedWords(String(repeating: "ü", count: 100)).components(separatedBy: "\n ")
        #expect(long.count > 5)
        #expect(long.allSatisfy { $0.count <= 75 && $0.hasPrefix("=?utf-8?Q?") && $0.hasSuffix("?=") })
    }

    @Test func `has a body in quoted-printable, in short lines`() {
        let text = ".\nFrom me\na=b \n" + String(repeating: "é", count: 200) + "\n"
        let encoded = MailMessage.quotedPrintable(text)
        let lines = encoded.components(separatedBy: "\n")
        #expect(lines.prefix(3) == ["=2E", "=46rom me", "a=3Db=20"])
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x7F } })
        #expect(!lines.contains("."))
    }

    @Test(arguments: [".", "From me"])
    func `has no line that ends it or begins another, where one was broken either`(words: String) {
        for count in 60...80 {
            let encoded = MailMessage.quotedPrintable(String(repeating: "x", count: count) + words)
            for line in encoded.components(separatedBy: "\n") {
                #expect(!line.hasPrefix(".") && !line.hasPrefix("From"), "\(count) before it: \(line)")
            }
        }
    }
}

@Suite struct `What carries a notice` {
    @Test func `is sendmail, which reads the recipient`() throws {
        let program = try #require(
            NoticeProgram(try Sample.message(), to: .mail("ops@example.org"), sendmail: "/usr/sbin/sendmail"))
        #expect(program.words == ["/usr/sbin/sendmail", "-t", "-oi"])
        #expect(program.input.hasPrefix("To: ops@example.org\n"))
    }

    @Test func `is curl, whose arguments hold no address`() throws {
        let url = "https://hooks.example.org/T0/s3cr3t"
        let program = try #require(
            NoticeProgram(try Sample.message("a \"b\"\\\n"), to: .webhook(url), sendmail: ""))
        #expect(program.words.allSatisfy { !$0.contains("s3cr3t") && !$0.contains("hooks") })
        // A server may send an answer without end.
        #expect(program.words.contains("--limit-rate"))
        let lines = program.input.components(separatedBy: "\n")
        #expect(lines.first == "url = \"\(url)\"")
        #expect(lines.dropLast().allSatisfy { $0.contains(" = \"") && $0.hasSuffix("\"") })
        #expect(lines.contains { $0.hasPrefix("data-binary = \"{\\\"app\\\":") })
    }

    @Test func `is hidden where a sentence would show its secret`() {
        let words = SecretWords(of: .webhook("https://user:pass@h.example/T0/s3cr3t-token?key=abcdef"))
        let said = words.hidden(
            "curl: (22) https://user:pass@h.example/T0/s3cr3t-token?key=abcdef: s3cr3t-token")
        #expect(!said.contains("s3cr3t") && !said.contains("abcdef"))
        let sink = NoticeSink(.webhook("https://user:pass@h.example/T0/s3cr3t-token"))
        #expect(sink.name.hasPrefix("webhook h.example #"))
        #expect(sink.name != NoticeSink(.webhook("https://h.example/T0/other")).name)
    }

    @Test func `is a datagram with lengths for the journal`() throws {
        let bytes = JournalSocket.entry(try Sample.message("two\nlines=x").journalFields)
        let value = "com.example.Feed.refresh: two\nlines=x"
        var expected = Array("MESSAGE\n".utf8)
        expected += withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { Array($0) }
        expected += Array(value.utf8) + [0x0A]
        #expect(bytes.starts(with: expected))
    }
}
