import LullCommands
import LullControl
import LullModel

/// `lull status`, kept up to date.
struct StatusWatch: LiveView {
    private var report: StatusReport?
    private var trouble: String?
    private var scroll = Scroll()

    let questions: [LiveQuestion] = []
    /// "4 min ago" holds for a minute.
    let tick: Duration = .seconds(30)

    mutating func hear(_ news: HostNews) {
        switch news {
        case .status(let report):
            self.report = report
            trouble = nil
        case .gone(let sentence): trouble = sentence
        case .loads, .why, .told: break
        }
    }

    mutating func press(_ key: KeyPress) -> [LiveAction<LiveQuestion>] {
        switch key {
        case .character("q"), .escape, .interrupt: return [.quit]
        default:
            _ = scroll.press(key)
            return []
        }
    }

    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String] {
        let terminal = Terminal(columns: size.columns, hasColour: hasColour)
        var text: [String] = []
        if let report {
            text = StatusText(report: report, phrases: phrases).rendered(for: terminal)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            while text.last == "" { text.removeLast() }
        }
        let shown = Array(scroll.visible(of: text, room: size.rows - 1))
        let filler = Array(repeating: "", count: max(0, size.rows - 1 - shown.count))
        return shown + filler + [foot(text.count, shown.count, phrases, terminal)]
    }

    private func foot(_ count: Int, _ shown: Int, _ phrases: Phrases, _ terminal: Terminal) -> String {
        if let trouble { return terminal.styled(trouble.terminalSafe.elided(to: terminal.columns), .yellow) }
        guard report != nil else { return "Asking the host …".elided(to: terminal.columns) }
        var words = "As of \(phrases.clock) · q quits"
        if count > shown {
            words += " · lines \(scroll.first + 1)–\(scroll.first + shown) of \(count), ↑↓ move"
        }
        return terminal.styled(words.elided(to: terminal.columns), .dim)
    }
}
