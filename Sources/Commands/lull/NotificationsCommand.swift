import ArgumentParser
import LullCommands
import LullControl
import LullHistory
import LullModel

struct NotificationsCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "List the notifications that apps have scheduled or sent.",
        usage: "lull notifications [<options>] [<name>]",
        discussion: """
            An app may send notifications if jobs.yaml gives it `notifications: true`. A delivered \
            notification is listed until the app removes it; `lull history --events` keeps it for good.

            Examples:
              lull notifications
              lull notifications com.example.ColorFeed --json
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this app's, such as com.example.ColorFeed.") var name: AppName?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let reports = try ask(Ask.Notifications(try name.map(app)))
        if json { return try Output.json(reports.map(NotificationsJSON.init)) }
        guard reports.contains(where: { !$0.pending.isEmpty || !$0.delivered.isEmpty || $0.badge != 0 })
        else {
            return Output.answer(Self.none(reports))
        }
        Output.answer(styled: NotificationsText(reports, .current).rendered(for: .output))
    }

    private static func none(_ reports: [NotificationReport]) -> String {
        guard !reports.contains(where: \.mayNotify) else { return "No app has notifications." }
        let app = reports.count == 1 ? reports[0].app.text : "No app"
        return
            "\(app) may \(reports.count == 1 ? "not " : "")notify anybody: give the app `notifications: true` in jobs.yaml."
    }
}

/// The notifications of apps as a table.
struct NotificationsText {
    let reports: [NotificationReport]
    let phrases: Phrases

    init(_ reports: [NotificationReport], _ phrases: Phrases) {
        (self.reports, self.phrases) = (reports, phrases)
    }

    func rendered(for terminal: Terminal) -> String {
        var table = Table(header: ["WHEN", "STATE", "OF", "ID", "SAYS"])
        for report in reports {
            for entry in report.pending {
                let when = entry.time.map { "\(phrases.time($0)) (\(phrases.relative($0)))" } ?? "never"
                table.rows.append(
                    row(report, entry, when, entry.notification.repeats ? "waits, repeats" : "waits"))
            }
            for entry in report.delivered.reversed() {
                table.rows.append(row(report, entry, entry.time.map(phrases.time) ?? "", "delivered"))
            }
        }
        let badges = reports.filter { $0.badge != 0 }.map { "The badge of \($0.app) is \($0.badge).\n" }
        return table.rendered(for: terminal) + badges.joined()
    }

    private func row(
        _ report: NotificationReport, _ entry: NotificationReport.Entry, _ when: String, _ state: String
    ) -> [Table.Cell] {
        let text = entry.notification.text
        let words = [text.title, text.subtitle, text.body].filter { !$0.isEmpty }.joined(separator: ": ")
        return [
            .init(when), .init(state), .init(report.app.text), .init(entry.notification.identifier),
            .init(words.isEmpty ? "badge \(entry.notification.badge ?? 0)" : words),
        ]
    }
}

/// For programs.
struct NotificationsJSON: Encodable {
    struct Entry: Encodable {
        let notification: JSONValue
        let time: String?
    }

    let app: String
    let mayNotify: Bool
    let badge: Int64
    let pendingNotifications: [Entry]
    let deliveredNotifications: [Entry]

    init(_ report: NotificationReport) {
        func entry(_ entry: NotificationReport.Entry) -> Entry {
            Entry(notification: entry.notification.json, time: entry.time?.rfc3339)
        }
        app = report.app.text
        mayNotify = report.mayNotify
        badge = report.badge
        pendingNotifications = report.pending.map(entry)
        deliveredNotifications = report.delivered.map(entry)
    }
}
