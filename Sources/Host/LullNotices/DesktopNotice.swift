private import CLullShims
private import Glibc
import LullHistory
import LullModel

/// A notice as a desktop shows it, for the program that has it shown.
///
/// The host itself uses no bus: a desktop that hangs holds up only that program, which has the time limit of any sink.
public struct DesktopNotice: Sendable, Equatable {
    var app: String
    /// One line.
    var summary: String
    /// Lines of plain text, without markup.
    var body: String
    /// 0: low, 1: normal, 2: critical.
    var urgency: UInt8

    /// An answer that takes longer counts as none.
    private static let timeout: UInt64 = 10_000

    init(_ message: NoticeMessage) {
        app = message.notice.app.text
        guard let said = message.notice.said, !message.isTest else {
            summary = message.subject
            body = NoticeMessage.line(message.notice.reason)
            urgency = message.notice.kind == .failed || message.notice.kind == .overdue ? 2 : 1
            return
        }
        summary = NoticeMessage.line(said.head)
        let rest = [said.title, said.subtitle, said.body].filter { !$0.isEmpty }.dropFirst()
        body = rest.joined(separator: "\n")
        urgency =
            switch said.level {
            case .passive: 0
            case .active: 1
            case .timeSensitive, .critical: 2
            }
    }

    var json: String {
        let value: JSONValue = [
            "app": .string(app), "summary": .string(summary), "body": .string(body),
            "urgency": .integer(Int64(urgency)),
        ]
        return value.text
    }

    /// Nil when the text is no notice.
    public init?(json text: String) {
        guard case .object(let members)? = JSONValue(text: text), case .string(let app)? = members["app"],
            case .string(let summary)? = members["summary"], case .string(let body)? = members["body"],
            case .integer(let urgency)? = members["urgency"], (0...2).contains(urgency)
        else { return nil }
        self.app = app
        self.summary = summary
        self.body = body
        self.urgency = UInt8(urgency)
    }

    /// Has it shown on the desktop of this user. Returns why it is not shown, or nil.
    public func show() -> String? {
        // A service that was not started by the session finds its bus where systemd puts it.
        if getenv("DBUS_SESSION_BUS_ADDRESS") == nil, getenv("XDG_RUNTIME_DIR") == nil {
            setenv("XDG_RUNTIME_DIR", "/run/user/\(getuid())", 1)
        }
        let reason = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 512)
        reason.initialize(repeating: 0)
        defer { reason.deallocate() }
        let result = lull_desktop_notify(
            app, summary, body, urgency, Self.timeout, reason.baseAddress, reason.count)
        guard result < 0 else { return nil }
        if result == -ENOSYS {
            return "there is no libsystemd, which the desktop needs: install libsystemd0"
        }
        let said = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard !said.isEmpty else {
            return "there is no desktop session: \(String(cString: strerror(-result)))"
        }
        return "the desktop does not show it: \(said)"
    }
}
