import LullHistory
import LullModel

/// Reads a list of runs from the events of a history, in parts from the newest on.
///
/// A run is found by its launch event, or, in a list of runs that ended in one way, by its end event, so that the database
/// finds rare endings.
struct RunReader {
    private static let part = 1000
    private static let ends: Set<HistoryEvent.Name> = [.completed, .failed, .interrupted]

    private let query: RunQuery
    private let history: any History
    private let text: String
    private var rows: [RunList.Row] = []
    /// The ends of runs whose launch event has not been read yet.
    private var ended: [RunID: HistoryEvent] = [:]
    private var last: WallTime?

    init(_ query: RunQuery, _ history: any History) {
        self.query = query
        self.history = history
        text = String(query.text.prefix(RunQuery.mostText)).lowercased()
    }

    mutating func list() throws(HistoryError) -> RunList {
        var asked = HistoryQuery(
            app: query.app, task: query.task, names: names, since: query.since, until: query.until,
            order: .newestFirst, limit: Self.part)
        var examined = 0
        // Events of one millisecond may lie in two parts.
        var met: Set<EventIdentity> = []
        while true {
            let part = try history.events(matching: asked)
            let fresh = part.filter { !met.contains(EventIdentity($0)) }
            for event in fresh {
                if rows.count >= query.limit, let last, event.time < last { return try done(earlier: last) }
                last = event.time
                try take(event)
            }
            guard part.count == Self.part, let oldest = part.last?.time else { return try done(earlier: nil) }
            asked.until = fresh.isEmpty ? oldest : oldest + .milliseconds(1)
            met = Set(part.lazy.filter { $0.time == oldest }.map(EventIdentity.init))
            examined += part.count
            if examined >= RunList.examined { return try done(earlier: oldest) }
        }
    }

    private var names: Set<HistoryEvent.Name> {
        switch query.ending {
        case .failed: [.failed, .interrupted]
        case .succeeded: [.completed]
        case .running, nil: Self.ends.union([.launched])
        }
    }

    private mutating func take(_ event: HistoryEvent) throws(HistoryError) {
        guard let run = event.run else {
            // An app that can't be loaded has failed without a run.
            if event.event == .failed, query.ending != .running { try add(nil, event) }
            return
        }
        if query.ending == .failed, !event.isFailure { return }
        switch query.ending {
        case .failed, .succeeded: try add(nil, event)
        case .running, nil:
            guard event.event == .launched else {
                ended[run] = event
                return
            }
            var end = ended.removeValue(forKey: run)
            if end == nil { end = try self.event(of: run, Self.ends) }
            if query.ending == nil || end == nil { try add(event, end) }
        }
    }

    private mutating func add(_ launch: HistoryEvent?, _ end: HistoryEvent?) throws(HistoryError) {
        guard let event = end ?? launch else { return }
        var row = RunList.Row(run: event.run, app: event.app, task: event.task)
        fill(&row, from: launch)
        if let end {
            row.ended = end.time
            row.milliseconds = end.milliseconds
            row.outcome = end.ending
            row.exitCode = end.exitCode
            row.isFailure = end.isFailure
            let told = end.reason.map(PrintedLast.init)
            row.reason = told?.sentence
            let lines = told?.lines ?? []
            if query.showsPrinted { row.printed = lines } else { row.hidesPrinted = !lines.isEmpty }
        }
        guard !text.isEmpty else { return rows.append(row) }
        let found = try linesWithText(of: row)
        guard !found.isEmpty || matches(row) else { return }
        if !found.isEmpty { row.printed = found }
        rows.append(row)
    }

    private func fill(_ row: inout RunList.Row, from launch: HistoryEvent?) {
        guard let launch else { return }
        row.launched = launch.time
        row.attempt = launch.attempt
        row.time = launch.occurrence?.time
        row.by = launch.by
        row.origin =
            launch.origin ?? (launch.occurrence.map { $0.time != nil || $0.boot != nil } == true ? .at : nil)
    }

    private func matches(_ row: RunList.Row) -> Bool {
        let words = [
            row.task?.text ?? row.app.text, row.run.map { "run \($0)" }, row.outcome?.rawValue, row.reason,
        ]
        return (words.compactMap { $0 } + row.printed).contains { $0.lowercased().contains(text) }
    }

    /// The last lines of its output that contain the text.
    private func linesWithText(of row: RunList.Row) throws(HistoryError) -> [String] {
        guard query.showsPrinted, let run = row.run, let output = try history.output(of: run) else {
            return []
        }
        return output.lines(containing: text).suffix(LastLines.most).map { PrintedLine(Array($0.utf8)).text }
    }

    private func event(of run: RunID, _ names: Set<HistoryEvent.Name>) throws(HistoryError) -> HistoryEvent? {
        try history.events(matching: HistoryQuery(run: run, names: names, order: .newestFirst, limit: 1))
            .first
    }

    /// Completes the list with details that are read only for shown runs.
    private func done(earlier: WallTime?) throws(HistoryError) -> RunList {
        var list = RunList(rows: rows, earlier: earlier)
        for index in list.rows.indices {
            guard let run = list.rows[index].run else { continue }
            if list.rows[index].launched == nil {
                fill(&list.rows[index], from: try event(of: run, [.launched]))
            }
            if list.rows[index].origin == nil { list.rows[index].origin = try origin(of: run) }
            if query.showsPrinted { try quote(&list.rows[index], run) }
        }
        if query.isHostGone { list.cutOff() }
        list.rows.sort {
            ($0.launched ?? $0.ended ?? .distantPast) > ($1.launched ?? $1.ended ?? .distantPast)
        }
        return list
    }

    /// Fills in output if the reason quotes none: the last lines of a failed run, or the last line of a successful one.
    private func quote(_ row: inout RunList.Row, _ run: RunID) throws(HistoryError) {
        guard row.printed.isEmpty, row.ended != nil, let output = try history.output(of: run) else { return }
        row.printed = Array(output.lastLines.suffix(row.outcome?.isSuccess == true ? 1 : LastLines.most))
    }

    /// The origin of the run's request.
    private func origin(of run: RunID) throws(HistoryError) -> TaskRequest.Origin? {
        guard let request = try event(of: run, [.launched])?.request else { return nil }
        return try history.events(matching: HistoryQuery(request: request, names: [.submitted], limit: 1))
            .first?.origin
    }
}

extension RunOutput {
    /// The last lines, chosen as for a failure's reason.
    fileprivate var lastLines: [String] {
        var lines = LastLines()
        for piece in pieces where piece.stream != .log && !piece.isShared {
            lines.append(piece.bytes, isError: piece.stream == .standardError)
        }
        return lines.lines
    }
}
