import LullCommands
import LullModel

/// One task in `lull top`, in words.
struct TopRow {
    var task: String
    var state: Table.Cell
    var span: String
    var next: String
    var share: String
    var memory: String
    var why: String

    init(_ status: StatusReport.TaskStatus, _ usage: TopUsage, _ phrases: Phrases) {
        let line = TaskLine(status: status, phrases: phrases)
        let isRunning = !status.running.isEmpty
        task = status.task.text
        state = status.isFailing && !isRunning ? .init(line.fails, .red) : line.state
        span = status.lastLaunched.map { phrases.relative(min($0, phrases.now)) } ?? "never"
        next = isRunning ? "" : NextText(next: status.next, phrases: phrases).cell
        share =
            isRunning ? usage.share(of: status.app).map(Phrase.share) ?? "…" : ""
        memory = isRunning ? usage.memory(of: status.app).map(Phrase.size) ?? "…" : ""
        let cause = PrintedLast(status.lastReason ?? "").inOneLine
        why = status.isFailing && !isRunning ? line.changed ?? cause : line.why
    }
}

/// The rows in columns that fit: where there is little room, the least useful columns are left out first, and names lose
/// their beginnings.
struct TopTable {
    let rows: [TopRow]
    let columns: Int
    let terminal: Terminal
    private var widths = Widths()

    private struct Widths {
        var task = 4
        let state = 10
        var span = 0
        var next = 0
        var share = 0
        var memory = 0
        var why = 0
    }

    init(rows: [TopRow], columns: Int, terminal: Terminal) {
        self.rows = rows
        self.columns = columns
        self.terminal = terminal
        // Two for the mark of the selection.
        var room = columns - 2
        let natural = max(rows.map(\.task.displayWidth).max() ?? 0, 4)
        widths.task = max(min(natural, room - widths.state - 2, max(16, columns * 2 / 5)), 1)
        room -= widths.task + 2 + widths.state
        let next = max(rows.map(\.next.displayWidth).max() ?? 0, 4)
        for (width, column) in [(next, \Widths.next), (12, \.span), (6, \.share), (8, \.memory)]
        where room >= width + 2 {
            widths[keyPath: column] = width
            room -= width + 2
        }
        // A narrower column tells nothing; the words of the selected task stand below the list as well.
        if room >= 14 { widths.why = room - 2 }
    }

    var heading: String {
        let row = cells("TASK", .init("STATE"), "STARTED", "NEXT", "CPU", "MEMORY", "WHY", isStyled: false)
        return terminal.styled("  " + row, .bold)
    }

    func line(_ index: Int, isSelected: Bool) -> String {
        let row = rows[index]
        let text = cells(
            row.task, row.state, row.span, row.next, row.share, row.memory, row.why, isStyled: !isSelected)
        guard isSelected else { return "  " + text }
        return terminal.styled(("> " + text).padded(to: columns), .reverse)
    }

    private func cells(
        _ task: String, _ state: Table.Cell, _ span: String, _ next: String, _ share: String,
        _ memory: String, _ why: String, isStyled: Bool
    ) -> String {
        var out = task.terminalSafe.elided(to: widths.task).padded(to: widths.task) + "  "
        let word = state.text.elided(to: widths.state).padded(to: widths.state)
        out += isStyled ? state.style.map { terminal.styled(word, $0) } ?? word : word
        for (text, width) in [
            (span, widths.span), (next, widths.next), (share, widths.share), (memory, widths.memory),
        ]
        where width > 0 {
            let text = text.elided(to: width)
            out += "  " + String(repeating: " ", count: width - text.displayWidth) + text
        }
        if widths.why > 0 { out += "  " + why.terminalSafe.elided(to: widths.why) }
        return out
    }
}
