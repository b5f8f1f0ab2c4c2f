import LullAnswers
import LullCommands
import LullHistory
import LullModel

/// The runs of a history for people: a line each, the newest last, in the words of the page.
struct RunLines {
    private let rows: [RunList.Row]
    /// The host of each run, if they are runs of a fleet.
    private var hosts: [String]?
    /// Whether older runs are left out.
    let isCut: Bool

    /// `most`: the newest of them; nil: all.
    init(_ query: RunQuery, most: Int?, in history: some History) throws(HistoryError) {
        var query = query
        var rows: [RunList.Row] = []
        repeat {
            query.limit = most.map { $0 - rows.count } ?? .max
            let list = try RunList.read(query, in: history)
            rows += list.rows
            query.until = list.earlier
        } while query.until != nil && rows.count < most ?? .max
        isCut = query.until != nil || rows.count > most ?? .max
        self.rows = rows.prefix(most ?? .max).reversed()
    }

    /// The runs of a fleet's hosts, the newest first.
    init(_ runs: [(host: String, row: RunList.Row)], most: Int?) {
        isCut = runs.count > most ?? .max
        let shown = runs.prefix(most ?? .max).reversed()
        (rows, hosts) = (shown.map(\.row), shown.map(\.host))
    }

    var isEmpty: Bool { rows.isEmpty }

    func rendered(for terminal: Terminal, _ phrases: Phrases) -> String {
        let header = ["RUN", "TASK", "ASKED BY", "BEGAN", "OUTCOME", "TOOK", "LAST LINE"]
        var table = Table(header: (hosts == nil ? [] : ["HOST"]) + header)
        table.isOneLine = true
        for (index, row) in rows.enumerated() {
            let host = (hosts?[index]).map { [Table.Cell($0)] } ?? []
            table.rows.append(
                host + [
                    .init(row.run?.description ?? "–"), .init(row.task?.text ?? row.app.text),
                    .init(Self.asker(of: row)), .init((row.launched ?? row.ended).map(phrases.exact) ?? "–"),
                    Self.outcome(of: row), .init(Self.span(of: row, phrases)), .init(Self.last(of: row)),
                ])
        }
        return table.rendered(for: terminal)
    }

    private static func asker(of row: RunList.Row) -> String {
        let asker = row.by?.terminalSafe ?? words(for: row.origin)
        guard let attempt = row.attempt, attempt.number > 1 else { return asker }
        return "\(asker), \(attempt.phrase)"
    }

    private static func words(for origin: TaskRequest.Origin?) -> String {
        switch origin {
        case .at: "its time"
        case .repeat: "its repeat"
        case .plugin: "its app"
        case .operator: "an operator"
        case .event: "an event"
        case .push: "a push"
        case .transfers: "the end of transfers"
        case nil: "–"
        }
    }

    private static func outcome(of row: RunList.Row) -> Table.Cell {
        guard let outcome = row.outcome else { return .init(row.ended == nil ? "under way" : "–") }
        return .init(outcome.rawValue, outcome.isSuccess ? .green : row.isFailure ? .red : .yellow)
    }

    private static func span(of row: RunList.Row, _ phrases: Phrases) -> String {
        let span =
            row.milliseconds.map { Duration.milliseconds($0) }
            ?? (row.ended == nil ? row.launched.map { phrases.now - $0 } : nil)
        return span.map { Phrase.about($0) } ?? "–"
    }

    /// For a failure its reason and its last output; for a success its last output, or else its reason.
    private static func last(of row: RunList.Row) -> String {
        let printed = row.printed.last.map { "│ " + $0 }
        let isWell = row.outcome?.isSuccess == true
        let reason = isWell && printed != nil ? nil : row.reason?.withoutFullStop
        return [reason, printed].compactMap { $0 }.joined(separator: " ")
    }
}
