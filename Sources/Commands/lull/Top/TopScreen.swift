import LullCommands
import LullModel

/// The lines of `lull top`: a header, the tasks, a pane below them, and the keys.
struct TopScreen {
    let size: ScreenSize
    let phrases: Phrases
    let terminal: Terminal

    func lines(_ model: inout TopModel) -> [String] {
        let foot = [footer(model)]
        guard let report = model.report else {
            let sentence = wrapped(model.message ?? "Asking the host …", to: size.columns, breaking: true)
            return filled(Array(sentence.prefix(max(0, size.rows - 1))), to: size.rows - 1) + foot
        }
        if model.pane == .help { return help(&model) + foot }
        let head = [header(report)]
        // At least three tasks stay in sight.
        let below = below(&model, atMost: max(0, size.rows - head.count - foot.count - 4))
        let room = size.rows - head.count - foot.count - below.count
        return head + filled(tasks(&model, room: room), to: room) + below + foot
    }

    private func filled(_ lines: [String], to count: Int) -> [String] {
        lines + Array(repeating: "", count: max(0, count - lines.count))
    }

    private func header(_ report: StatusReport) -> String {
        var words = "Lull \(phrases.clock)"
        let counts = TaskCounts(report.tasks, phrases: phrases)
        if !counts.parts.isEmpty { words += " · " + counts.parts.joined(separator: ", ") }
        if let conditions = report.conditions {
            words += " · " + conditions.readings(at: phrases.now).map(\.text).joined(separator: "; ")
        }
        return terminal.styled(words.terminalSafe.elided(to: size.columns), .bold)
    }

    private func tasks(_ model: inout TopModel, room: Int) -> [String] {
        guard room > 1 else { return [] }
        let rows = model.rows
        let table = TopTable(
            rows: rows.map { TopRow($0, model.usage, phrases) }, columns: size.columns, terminal: terminal)
        if let index = rows.firstIndex(where: { $0.task == model.selected }) {
            _ = model.list.visible(of: Array(repeating: "", count: rows.count), room: room - 1)
            model.list.show(index)
        }
        let lines = rows.indices.map { table.line($0, isSelected: rows[$0].task == model.selected) }
        return [table.heading] + model.list.visible(of: lines, room: room - 1)
    }

    private func below(_ model: inout TopModel, atMost room: Int) -> [String] {
        guard let task = model.selection, room > 1 else { return [] }
        let rule = terminal.styled(String(repeating: "─", count: size.columns), .dim)
        let narrow = Terminal(columns: size.columns, hasColour: terminal.hasColour)
        guard model.pane == .why else {
            // The words of the selected task that the columns had no room for.
            let line = TaskLine(status: task, phrases: phrases)
            let words = task.isFailing ? line.cause(quoting: LastLines.few, in: size.columns) : line.reasons
            return [rule]
                + wrapped("\(task.task): \(words)", to: size.columns, breaking: true)
                .prefix(min(task.isFailing ? 6 : 3, room - 1))
        }
        guard let why = model.why, why.verdict.task == task.task else {
            return [rule, "Asking the host …".elided(to: size.columns)]
        }
        let text = WhyText(verdict: why.verdict, status: task, outlook: why.outlook, phrases: phrases)
            .rendered(for: narrow).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return [rule] + model.text.visible(of: text, room: min(text.count, room - 1))
    }

    private func help(_ model: inout TopModel) -> [String] {
        let lines = Self.lines(of: Self.keys, size.columns)
        return filled(Array(model.text.visible(of: lines, room: size.rows - 1)), to: size.rows - 1)
    }

    /// Keys and headings, each with its meaning.
    static func lines(of help: [(String, String)], _ columns: Int) -> [String] {
        help.flatMap { key, words in
            wrapped(words, to: max(columns - 12, 8), breaking: true).enumerated().map { index, line in
                ((index == 0 ? key : "").padded(to: 12) + line).elided(to: columns)
            }
        }
    }

    private static let keys = [
        ("↑ ↓ j k", "select a task; PgUp, PgDn, Home and End go further"),
        ("w, Enter", "why it does not run, gate by gate; space turns the page, w closes"),
        ("l", "launch it now, whatever its gates say, as `lull launch` does"),
        ("x", "stop its run: it gets its grace to end, and is not retried"),
        ("s", "sort by state, name, next moment, processor, memory"),
        ("?, h", "this help; Esc closes it"),
        ("q, Ctrl-C", "quit"),
        ("", ""),
        ("STARTED", "when its last run began, or the one that is under way"),
        ("NEXT", "its next time, as far as the clock decides"),
        ("CPU, MEMORY", "of the app's worker with all that it has started; 100 % is one processor"),
    ]

    private func footer(_ model: TopModel) -> String {
        if let message = model.message, model.report != nil {
            return terminal.styled(message.terminalSafe.elided(to: size.columns), .yellow)
        }
        let keys =
            model.pane == .help
            ? "Esc closes the help"
            : "↑↓ select  w why  l launch  x stop  s sort: \(model.order.rawValue)  ? help  q quit"
        return terminal.styled(keys.elided(to: size.columns), .dim)
    }
}
