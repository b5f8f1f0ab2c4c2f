import LullHistory
public import LullModel

/// A notice in words: a subject, a text, and the same as JSON.
///
/// A plugin's output and reasons are foreign text: they become content, and never a header, a variable's name or a line
/// of a protocol.
public struct NoticeMessage: Sendable {
    public var notice: Notice
    /// The name of the host that sends it.
    public var host: String
    /// The run's output, for people; nil: nothing, or it is not about a run.
    public var output: String?
    /// It was asked for by `lull notify test`.
    public var isTest = false

    /// A longer output is cut in its middle.
    public static let outputBytes = 16 << 10

    public init(_ notice: Notice, host: String, output: String? = nil, isTest: Bool = false) {
        self.notice = notice
        self.host = host
        self.output = output.map { Self.cut($0, to: Self.outputBytes) }
        self.isTest = isTest
    }

    /// One line.
    public var subject: String {
        let head = "[lull] \(host): "
        if isTest { return Self.line(head + "this is a test of \(notice.subject)") }
        if let covers = notice.covers { return Self.line(head + "\(covers) more notices") }
        // The text of an app is marked as the app's, never as the host's.
        if notice.kind == .notification, let said = notice.said {
            return Self.line(head + "\(notice.app) says: " + said.head)
        }
        let what =
            switch notice.kind {
            case .failed: "failed"
            case .overdue: "is overdue"
            case .idle: "idle"
            case .recovered: "recovered"
            case .output: "printed something"
            case .reported: "reports a push"
            case .notification: "notifies"
            case .manifest: "is not in force"
            }
        return Self.line(head + subjectName + " " + what)
    }

    private var subjectName: String { notice.app == .host ? "the manifest" : notice.subject }

    /// Lines for people, without the output.
    public var text: String {
        let told = PrintedLast(notice.reason)
        var lines =
            [Self.line(subjectName + ": " + told.sentence)] + told.lines.map { "    " + Self.line($0) }
        if let said = notice.said {
            lines = [Self.line(notice.subject)] + Self.lines(said)
            // The remark that it is late follows its text.
            if let late = notice.reason.firstRange(of: "; late: ") {
                lines.append(Self.line(String(notice.reason[late.lowerBound...].dropFirst(2))))
            }
        }
        if isTest { lines = ["This is a test: nothing has happened. It was sent by `lull notify test`."] }
        lines.append("")
        lines.append("when    \(notice.time.rfc3339)")
        lines.append("host    \(Self.line(host))")
        if notice.kind == .manifest { lines.append("more    lull check") }
        if let run = notice.run { lines.append("more    lull history \(run)") }
        if let task = notice.task, notice.run == nil { lines.append("more    lull why \(task)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ said: NoticeText) -> [String] {
        let body = said.body.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
        return [said.title, said.subtitle].filter { !$0.isEmpty }.map(line) + (said.body.isEmpty ? [] : body)
    }

    /// The text and the output.
    public var body: String {
        guard let output, !output.isEmpty else { return text }
        return text + "\nOutput:\n" + output + (output.hasSuffix("\n") ? "" : "\n")
    }

    /// For programs: the input of a command, and the content that a webhook gets.
    public var json: String {
        var members: [String: JSONValue] = [
            "id": .integer(Int64(clamping: notice.id)), "kind": .string(notice.kind.rawValue),
            "app": .string(notice.app.text), "host": .string(host),
            "time": .string(notice.time.rfc3339), "subject": .string(subject),
            "reason": .string(notice.reason), "text": .string(text), "test": .bool(isTest),
        ]
        members["task"] = notice.task.map { .string($0.text) }
        members["run"] = notice.run.map { .integer(Int64(clamping: $0.number)) }
        members["covers"] = notice.covers.map { .integer(Int64($0)) }
        if let said = notice.said {
            members["title"] = .string(said.title)
            members["subtitle"] = .string(said.subtitle)
            members["body"] = .string(said.body)
        }
        members["output"] = output.map { .string($0) }
        return JSONValue.object(members).text
    }

    /// The environment variables of a command, beside its input.
    var variables: [(name: String, value: String)] {
        var variables = [
            ("LULL_NOTICE", "\(notice.id)"), ("LULL_KIND", notice.kind.rawValue),
            ("LULL_APP", notice.app.text), ("LULL_HOST", host), ("LULL_TIME", notice.time.rfc3339),
            ("LULL_SUBJECT", subject), ("LULL_REASON", Self.line(PrintedLast(notice.reason).inOneLine)),
            ("LULL_TEST", isTest ? "1" : "0"),
        ]
        if let task = notice.task { variables.append(("LULL_TASK", task.text)) }
        if let run = notice.run { variables.append(("LULL_RUN", "\(run)")) }
        if let said = notice.said {
            variables += [
                ("LULL_TITLE", Self.line(said.title)), ("LULL_SUBTITLE", Self.line(said.subtitle)),
                ("LULL_BODY", Self.line(said.body)),
            ]
        }
        return variables.map { ($0.0, $0.1.filter { $0 != "\0" }) }
    }

    /// The text on one line, without control characters, and not too long.
    static func line(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars.prefix(1000) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: out.unicodeScalars.append(" ")
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private static func cut(_ text: String, to bytes: Int) -> String {
        let utf8 = Array(text.utf8)
        guard utf8.count > bytes else { return text }
        let half = bytes / 2
        return String(decoding: utf8.prefix(half), as: UTF8.self)
            + "\n… \(utf8.count - 2 * half) bytes left out; `lull history` has them …\n"
            + String(decoding: utf8.suffix(half), as: UTF8.self)
    }
}
