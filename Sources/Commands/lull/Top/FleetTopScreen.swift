import LullAnswers
import LullCommands
import LullModel

/// The lines of `lull top --fleet`: a header, the fleet's parts, a pane below them, and the keys.
struct FleetTopScreen {
    let size: ScreenSize
    let phrases: Phrases
    let terminal: Terminal

    func lines(_ model: inout FleetTopModel) -> [String] {
        guard let overview = model.overview else {
            let words =
                model.trouble.map { $0 + " Lull keeps asking." } ?? "Asking the fleet's database …"
            let sentence = wrapped(words, to: size.columns, breaking: true)
            return filled(Array(sentence.prefix(size.rows - 1)), to: size.rows - 1) + [keys("q quit")]
        }
        let foot = foot(model)
        if model.pane == .help { return help(&model, room: size.rows - foot.count) + foot }
        let head = [header(overview, model)]
        // At least three rows and their heading stay in sight.
        let below = below(&model, atMost: max(0, size.rows - head.count - foot.count - 4))
        let room = size.rows - head.count - foot.count - below.count
        return head + filled(parts(&model, room: room), to: room) + below + foot
    }

    private func filled(_ lines: [String], to count: Int) -> [String] {
        lines + Array(repeating: "", count: max(0, count - lines.count))
    }

    private func header(_ overview: FleetOverview, _ model: FleetTopModel) -> String {
        let hosts = overview.hosts
        let standings = [
            (hosts.count(where: \.isSilent), "silent"),
            (hosts.count(where: \.isClockWrong), "with a wrong clock"),
            (hosts.count { $0.lives && $0.draining }, "draining"),
            (hosts.count(where: \.stopped), "stopped"),
        ]
        let parts =
            [([Phrase.count(hosts.count, "host")] + counts(standings)).joined(separator: ", ")]
            + counts([
                (overview.failedCount, "failed"), (overview.leasedCount, "running"),
                (overview.due.count, "due"),
            ])
        let words = "Fleet \(model.fleet) \(phrases.exact(phrases.now)) · " + parts.joined(separator: " · ")
        return terminal.styled(words.terminalSafe.elided(to: size.columns), .bold)
    }

    private func counts(_ counts: [(Int, String)]) -> [String] {
        counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }

    private func parts(_ model: inout FleetTopModel, room: Int) -> [String] {
        guard room > 0 else { return [] }
        guard !model.rows.isEmpty else {
            let words = phrases.remedy(
                "No host has joined. One does when its manifest has `fleet` and it runs: `lull run`.")
            return Array(wrapped(words, to: size.columns, breaking: true).prefix(room))
        }
        let table = FleetTopTable(
            rows: model.rows.map { $0.cells(phrases) }, columns: size.columns, terminal: terminal)
        let selected = model.selectedIndex
        var lines: [String] = []
        var place = 0
        for (index, row) in model.rows.enumerated() {
            let isFirst = index == 0 || model.rows[index - 1].part != row.part
            if isFirst { lines.append(table.heading(row.part.heads)) }
            if index == selected { place = lines.count }
            lines.append(table.line(index, isSelected: index == selected))
        }
        _ = model.list.visible(of: lines, room: room)
        // The row above comes into sight, too, because it may be a heading.
        model.list.show(max(0, place - 1))
        model.list.show(place)
        return Array(model.list.visible(of: lines, room: room))
    }

    private func below(_ model: inout FleetTopModel, atMost room: Int) -> [String] {
        guard let row = model.selection, room > 1 else { return [] }
        let rule = terminal.styled(String(repeating: "─", count: size.columns), .dim)
        guard model.pane == .why else {
            let detail = row.detail(phrases).joined(separator: " ")
            return [rule] + wrapped(detail, to: size.columns, breaking: true).prefix(min(4, room - 1))
        }
        let text: [String]
        if let task = row.task {
            guard let why = model.why, why.task == task else {
                let words =
                    model.trouble == nil
                    ? "Asking the fleet's database …" : "Not known while the database does not answer."
                return [rule, words.elided(to: size.columns)]
            }
            text = FleetWhyText(why: why, phrases: phrases).rendered(for: terminal)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        } else {
            text = row.detail(phrases).flatMap { wrapped($0, to: size.columns, breaking: true) }
        }
        return [rule] + model.text.visible(of: text, room: min(text.count, room - 1))
    }

    private func help(_ model: inout FleetTopModel, room: Int) -> [String] {
        filled(
            Array(model.text.visible(of: TopScreen.lines(of: Self.help, size.columns), room: room)), to: room)
    }

    private static let help = [
        ("↑ ↓ j k", "select a row; PgUp, PgDn, Home and End go further"),
        ("Tab", "the next part"),
        (
            "w, Enter",
            "why a task does not run, on each host; or all about a host; space turns the page, w closes"
        ),
        ("?, h", "this help; Esc closes it"),
        ("q, Ctrl-C", "quit"),
        ("", ""),
        ("TROUBLE", "hosts that do not answer, whose clock is wrong, or that are draining"),
        ("RUNNING", "runs that a host has, first those whose host does not renew them"),
        ("FAILED", "runs that failed or expired within a day"),
        ("DUE", "runs whose time has come and that no host has taken"),
        ("HOSTS", "the others"),
    ]

    /// The keys; while the database does not answer, also the time of the data and the trouble.
    private func foot(_ model: FleetTopModel) -> [String] {
        let keys = keys(
            model.pane == .help ? "Esc closes the help" : "↑↓ select  Tab next part  w why  ? help  q quit")
        guard let trouble = model.trouble else { return [keys] }
        let words = "This is how it was at \(phrases.exact(phrases.now)). \(trouble)".terminalSafe
        let lines =
            size.rows < 8
            ? [words.elided(to: size.columns)]
            : Array(wrapped(words, to: size.columns, breaking: true).prefix(4))
        return lines.map { terminal.styled($0, .yellow) } + (size.rows < 8 ? [] : [keys])
    }

    private func keys(_ words: String) -> String { terminal.styled(words.elided(to: size.columns), .dim) }
}

/// Rows of all parts in the same columns: where there is little room, the least useful columns are left out first.
struct FleetTopTable {
    let rows: [[Table.Cell]]
    let columns: Int
    let terminal: Terminal
    /// 0: no room for it.
    private let widths: [Int]

    init(rows: [[Table.Cell]], columns: Int, terminal: Terminal) {
        (self.rows, self.columns, self.terminal) = (rows, columns, terminal)
        func natural(_ column: Int) -> Int { rows.map { $0[column].text.displayWidth }.max() ?? 0 }
        // Two for the mark of the selection.
        var room = columns - 2
        var widths = [max(1, min(max(natural(0), 8), max(16, columns * 2 / 5), room)), 0, 0, 0]
        room -= widths[0]
        for (column, most) in [(1, max(10, columns / 6)), (2, 14)] {
            let width = min(max(natural(column), 7), most)
            guard room >= width + 2 else { continue }
            widths[column] = width
            room -= width + 2
        }
        // A narrower column tells nothing; the words of the selected row stand below the list as well.
        if room >= 14 { widths[3] = room - 2 }
        self.widths = widths
    }

    func heading(_ heads: [String]) -> String {
        terminal.styled("  " + line(heads.map { .init($0) }, isStyled: false), .bold)
    }

    func line(_ index: Int, isSelected: Bool) -> String {
        guard isSelected else { return "  " + line(rows[index], isStyled: true) }
        return terminal.styled(("> " + line(rows[index], isStyled: false)).padded(to: columns), .reverse)
    }

    private func line(_ cells: [Table.Cell], isStyled: Bool) -> String {
        let cells = zip(cells, widths).filter { $0.1 > 0 }
        return cells.enumerated().map { index, part in
            let text = part.0.text.terminalSafe.elided(to: part.1)
            let styled = isStyled ? part.0.style.map { terminal.styled(text, $0) } ?? text : text
            let isLast = index == cells.count - 1
            return isLast ? styled : styled + String(repeating: " ", count: part.1 - text.displayWidth)
        }.joined(separator: "  ")
    }
}
