import LullModel
import LullSystem

@testable import LullHistory
@testable import LullNotices

/// A plugin's output or reason, whatever it contains, reaches a sink as text that the sink does not interpret.
///
/// The pieces are the host's name, the reason, and the output.
enum NoticeCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let words = pieces(of: Array(bytes.dropFirst())).map { String(decoding: $0, as: UTF8.self) }
        guard let app = AppIdentifier("com.example.App"), let task = TaskIdentifier("com.example.App.refresh")
        else { throw Broken("its own identifiers are none") }
        let kinds = NoticeKind.allCases
        let kind = kinds[Int(first) % kinds.count]
        let said = NoticeText(title: words.dropFirst().first ?? "", body: words.dropFirst(2).first ?? "")
        let notice = Notice(
            id: UInt64(first), kind: kind, sink: "mail", app: app,
            task: first & 0x20 == 0 ? task : nil, run: first & 0x40 == 0 ? RunID(1) : nil,
            time: WallTime(seconds: 1_795_219_200), reason: words.dropFirst().first ?? "",
            said: kind == .notification ? said : nil)
        let message = NoticeMessage(
            notice, host: words.first ?? "host", output: words.dropFirst(2).first, isTest: first & 0x80 != 0)
        try check(mail: MailMessage(to: "root", message: message).text)
        try check(journal: JournalSocket.entry(message.journalFields))
        try check(json: message.json)
        for (name, value) in message.variables {
            try hold(!value.contains("\0"), "\(name) ends within it")
            // The owner chooses the host's name, so it may contain anything.
            let isOwn = name == "LULL_HOST" || !value.unicodeScalars.contains { $0.value < 0x20 }
            try hold(isOwn, "a terminal would obey \(name)")
        }
        let posted = NoticeProgram(posting: message.json, to: "https://example.com/")
        try hold(
            posted.input.split(separator: "\n").count == 4,
            "curl is told more than it was to be:\n\(posted.input)")
    }

    /// Only Lull's own headers, in lines that every relay accepts.
    private static func check(mail: String) throws {
        guard let end = mail.firstRange(of: "\n\n") else { throw Broken("no end of the headers:\n\(mail)") }
        let names: Set = [
            "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
            "Content-Transfer-Encoding", "X-Lull-Kind", "X-Lull-App", "X-Lull-Task",
        ]
        var seen: Set<String> = []
        for line in mail[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false) {
            try hold(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "not plain: \(line.debugDescription)")
            if line.hasPrefix(" ") { continue }
            let name = String(line.prefix { $0 != ":" })
            try hold(names.contains(name) && seen.insert(name).inserted, "a header '\(line)' too many")
        }
        for line in mail[end.upperBound...].split(separator: "\n", omittingEmptySubsequences: false) {
            try hold(line.utf8.count <= 76, "a line of \(line.utf8.count) bytes")
            try hold(line != "." && !line.hasPrefix("From "), "'\(line)' is obeyed by what carries mail")
            try hold(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 9 }, "\(line.debugDescription)")
        }
    }

    /// Parses the fields as journald does; each of Lull's own names occurs once.
    private static func check(journal bytes: [UInt8]) throws {
        var rest = bytes[...]
        var names: Set<String> = []
        while !rest.isEmpty {
            guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == UInt8(ascii: "=") }) else {
                throw Broken("a name without an end")
            }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            try hold(names.insert(name).inserted, "\(name) twice")
            let isOneLine = rest[end] != 0x0A
            rest = rest[(end + 1)...]
            if isOneLine {
                guard let line = rest.firstIndex(of: 0x0A) else { throw Broken("\(name) does not end") }
                rest = rest[(line + 1)...]
                continue
            }
            let length = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(8)
            try hold(length < UInt64(rest.count), "\(name) is longer than all that is left")
            rest = rest.dropFirst(Int(length))
            try hold(rest.first == 0x0A, "\(name) does not end where it says")
            rest = rest.dropFirst()
        }
        let own = names.allSatisfy { name in
            name.hasPrefix("LULL_") || ["MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER"].contains(name)
        }
        try hold(own && names.count >= 8, "\(names)")
    }

    private static func check(json: String) throws {
        try hold(!json.contains("\n"), "on two lines: \(json)")
        try hold((try? JSONLine.value(Array(json.utf8))) != nil, "not JSON: \(json)")
    }
}
