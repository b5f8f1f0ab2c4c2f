import LullAnswers
import LullCommands
import LullModel

/// Transfers for people, a line each, with bars where there is room.
struct TransfersText {
    let reports: [TransferReport]
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        var table = Table(header: ["ID", "STATE", "DONE", "OF", "WHAT"])
        let width = terminal.columns >= 100 ? 16 : 8
        for report in reports {
            let line = TransferLine(report, when: phrases.soon)
            table.rows.append([
                .init(report.state.id.description), .init(line.state, Self.style(of: report.state.phase)),
                .init(done(line, bar: width)), .init(report.state.app.text), .init(what(line)),
            ])
        }
        let summary = wrapped(reports.summary, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }
        return summary.joined() + "\n" + table.rendered(for: terminal)
    }

    static func style(of phase: TransferState.Phase) -> Terminal.Style? {
        switch phase {
        case .active, .finished: .green
        case .failed: .red
        case .challenged, .paused, .cancelled: .yellow
        case .waiting: nil
        }
    }

    private func done(_ line: TransferLine, bar width: Int) -> String {
        switch line.report.state.phase {
        case .finished, .failed, .cancelled: return line.amount
        case .waiting, .active, .challenged, .paused: break
        }
        let bar = line.bar(of: width).map { $0 + " " } ?? ""
        return bar + ([line.percent, line.amount, line.rate].compactMap(\.self)).joined(separator: ", ")
    }

    /// "a download of https://…; likely done at 10:41".
    private func what(_ line: TransferLine) -> String {
        let said = line.reasons + [line.outlook].compactMap(\.self)
        return line.deed + (said.isEmpty ? "" : ": " + said.joined(separator: "; "))
    }
}

/// One transfer: what it is, why it waits, and what became of it so far.
struct TransferWhyText {
    let report: TransferReport
    /// Its events, the oldest first.
    let events: [HistoryEvent]
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        let line = TransferLine(report, when: phrases.soon)
        let state = report.state
        func paragraph(_ text: String) -> String {
            wrapped(phrases.remedy(text), to: terminal.columns).joined(separator: "\n") + "\n"
        }
        var out = wrapped(headline(line), to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }
            .joined()
        if state.phase == .active || state.share != nil {
            let bar = line.bar(of: max(8, min(40, terminal.columns - 40))).map { $0 + " " } ?? ""
            let parts = [line.percent, line.amount, line.rate, line.outlook].compactMap(\.self)
            out += bar + parts.joined(separator: ", ") + "\n"
        }
        out += paragraph(
            "\(state.app) asked for it \(phrases.when(state.asked)) in its session "
                + "'\(state.order.session.terminalSafe)'"
                + (state.order.isDiscretionary ? "; it waits for a good moment (discretionary)." : "."))
        if state.attempts > 0 {
            let last = state.attempts == 1 ? "last attempt" : "last \(state.attempts) attempts"
            out += paragraph("Its \(last) failed; what has been transferred is kept.")
        }
        let remedies = remedies
        if !remedies.isEmpty { out += "\n" + paragraph("→ " + remedies) }
        if !events.isEmpty {
            out += "\n" + EventTable(events: events, phrases: phrases).rendered(for: terminal)
        }
        while out.hasSuffix("\n") { out.removeLast() }
        return out
    }

    private func headline(_ line: TransferLine) -> String {
        let verb =
            switch report.state.phase {
            case .waiting: "waits"
            case .active: "is under way"
            case .challenged: "waits for its app's answer"
            case .paused: "is paused"
            case .finished: "has finished"
            case .failed: "has failed for good"
            case .cancelled: "is cancelled"
            }
        let reasons = line.reasons.joined(separator: "; ").terminalSafe
        return
            "\(report.state.id), \(line.deed.terminalSafe), \(verb)\(reasons.isEmpty ? "" : ": " + reasons)."
    }

    private var remedies: String {
        let id = report.state.id
        switch report.state.phase {
        case .paused: return "Resume it: `lull transfers resume \(id)`."
        case .waiting where report.state.attempts > 0:
            return "Try it again now: `lull transfers resume \(id)`."
        case .challenged: return "See what the app says: `lull history --app \(report.state.app)`."
        case .waiting, .active, .finished, .failed, .cancelled: return ""
        }
    }
}
