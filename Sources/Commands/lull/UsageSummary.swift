import LullCommands
import LullHistory
import LullModel
import LullUsage

/// The report of `lull usage import`.
struct UsageSummary {
    struct AppSummary {
        let app: AppIdentifier
        let sessions: [WallTime]
        /// How many of them the history did not have.
        let new: Int
        /// Whether the week rule held it back before, and does not now.
        var isOpenAgain = false
        var isIdle = false
        var idlesAt: WallTime?
        var isListed = false
    }

    private let read: UsageImport
    private let isDryRun: Bool
    private var apps: [AppSummary] = []
    private var now: WallTime?
    /// How many uses were added to the history.
    var imported = 0

    init(_ read: UsageImport, isDryRun: Bool) {
        self.read = read
        self.isDryRun = isDryRun
    }

    mutating func add(_ app: AppIdentifier, sessions: [WallTime], new: Int) {
        apps.append(AppSummary(app: app, sessions: sessions, new: new))
        apps.sort { $0.app < $1.app }
    }

    /// Sets what the uses changed under the week rule, from two reports of the host.
    mutating func judge(before: StatusReport, after: StatusReport) {
        now = after.time
        let wasIdle = Set(before.apps.filter(\.isIdle).map(\.app))
        let status = Dictionary(after.apps.map { ($0.app, $0) }) { first, _ in first }
        for index in apps.indices {
            guard let status = status[apps[index].app] else { continue }
            apps[index].isListed = true
            apps[index].isIdle = status.isIdle
            apps[index].idlesAt = status.idlesAt
            apps[index].isOpenAgain = wasIdle.contains(status.app) && !status.isIdle
        }
    }

    private var sessions: Int { apps.reduce(0) { $0 + $1.sessions.count } }
    private var new: Int { apps.reduce(0) { $0 + $1.new } }
    private var first: WallTime? { apps.compactMap(\.sessions.first).min() }
    private var last: WallTime? { apps.compactMap(\.sessions.last).max() }

    // MARK: - For people

    func text(_ phrases: Phrases) -> String {
        var out = [whatWasRead(phrases)]
        if sessions > 0 { out.append(whatWasAdded) }
        if apps.count > 1 { out.append(table(phrases)) }
        for app in apps { out += weekRule(app) }
        return out.joined(separator: "\n")
    }

    private func whatWasRead(_ phrases: Phrases) -> String {
        guard read.lines > 0 else { return "\(read.name) is empty: there is nothing to import." }
        var text =
            "Read \(Phrase.count(read.lines, read.format.unit)) of \(read.name), \(read.format.words): "
        text += sessions == 0 ? "no use" : Phrase.count(sessions, "session")
        if apps.count == 1 {
            text += " of \(apps[0].app)"
        } else if apps.count > 1 {
            text += " of \(apps.count) apps"
        }
        if let first, let last {
            text +=
                sessions == 1
                ? ", \(phrases.time(first))" : ", \(phrases.time(first)) to \(phrases.time(last))"
        }
        text += "."
        var rest: [String] = []
        if read.refused > 0 { rest.append("\(read.refused) \(read.refused == 1 ? "is" : "are") wrong") }
        if read.unmatched > 0 { rest.append("\(read.unmatched) did not match") }
        if read.beforeSince > 0 { rest.append("\(read.beforeSince) from before --since") }
        if !rest.isEmpty { text += " Of the \(read.format.unit)s, " + rest.joined(separator: ", ") + "." }
        return text
    }

    private var whatWasAdded: String {
        let known = sessions - (isDryRun ? new : imported)
        let there = known == 0 ? "" : "; \(known) \(Self.verb(known, isDryRun)) there already"
        return isDryRun
            ? "Would import \(Phrase.count(new, "use"))\(there). Nothing was changed (--dry-run)."
            : "Imported \(Phrase.count(imported, "use"))\(there)."
    }

    private func table(_ phrases: Phrases) -> String {
        var table = Table(header: ["APP", "SESSIONS", "NEW", "FIRST", "LAST"])
        for app in apps {
            table.rows.append([
                .init(app.app.text), .init(String(app.sessions.count)), .init(String(app.new)),
                .init(app.sessions.first.map(phrases.time) ?? ""),
                .init(app.sessions.last.map(phrases.time) ?? ""),
            ])
        }
        return table.rendered(for: .output)
    }

    private func weekRule(_ app: AppSummary) -> [String] {
        guard !isDryRun, app.isListed else { return [] }
        if app.isOpenAgain { return ["\(app.app) is open again."] }
        if app.isIdle { return ["\(app.app) is idle: not launched until it is used again."] }
        guard let idlesAt = app.idlesAt, let now, apps.count == 1 else { return [] }
        return ["\(app.app) stops in \(Phrase.about(idlesAt - now)) unless used."]
    }

    private static func verb(_ count: Int, _ isNow: Bool) -> String {
        isNow ? (count == 1 ? "is" : "are") : (count == 1 ? "was" : "were")
    }

    // MARK: - For programs

    struct JSON: Encodable {
        struct AppJSON: Encodable {
            let app: AppIdentifier
            let sessionCount: Int
            let newCount: Int
            let first: String?
            let last: String?
            let listed: Bool
            let openAgain: Bool
            let idle: Bool
        }
        struct ProblemJSON: Encodable {
            let line: Int
            let column: Int
            let message: String
            let fix: String
        }
        let file: String
        let format: String
        let dryRun: Bool
        let lineCount: Int
        let unmatchedCount: Int
        let beforeSinceCount: Int
        let refusedCount: Int
        let sessionCount: Int
        let importedCount: Int
        let knownCount: Int
        let first: String?
        let last: String?
        let apps: [AppJSON]
        let problems: [ProblemJSON]
    }

    var json: JSON {
        JSON(
            file: read.name, format: read.format.rawValue, dryRun: isDryRun, lineCount: read.lines,
            unmatchedCount: read.unmatched, beforeSinceCount: read.beforeSince, refusedCount: read.refused,
            sessionCount: sessions, importedCount: imported,
            knownCount: sessions - (isDryRun ? new : imported),
            first: first?.rfc3339, last: last?.rfc3339,
            apps: apps.map {
                JSON.AppJSON(
                    app: $0.app, sessionCount: $0.sessions.count, newCount: $0.new,
                    first: $0.sessions.first?.rfc3339, last: $0.sessions.last?.rfc3339, listed: $0.isListed,
                    openAgain: $0.isOpenAgain,
                    idle: $0.isIdle)
            },
            problems: read.problems.map {
                JSON.ProblemJSON(line: $0.line, column: $0.column, message: $0.message, fix: $0.fix)
            })
    }
}
