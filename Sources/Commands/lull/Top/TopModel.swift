import LullCommands
import LullControl
import LullModel

/// The data of `lull top`, and what a person has chosen in it.
struct TopModel: LiveView {
    enum Order: String, CaseIterable {
        /// Failing tasks, then running ones, ready ones, those that need a person, and those that wait.
        case state, name, next, cpu, memory
    }

    enum Pane { case none, why, help }

    private(set) var report: StatusReport?
    private(set) var order = Order.state
    private(set) var pane = Pane.none
    private(set) var selected: TaskIdentifier?
    private(set) var usage = TopUsage()
    private(set) var why: Explanation?
    /// The last message, until the next key.
    private(set) var message: String?
    private(set) var isGone = false
    var list = Scroll()
    var text = Scroll()

    var rows: [StatusReport.TaskStatus] { order.sorted(report?.tasks ?? [], usage) }

    var selection: StatusReport.TaskStatus? { rows.first { $0.task == selected } }

    private var isBusy: Bool { report?.tasks.contains { !$0.running.isEmpty } ?? false }

    var questions: [LiveQuestion] {
        guard !isGone, report != nil else { return [] }
        let why: [LiveQuestion] = pane == .why ? selected.map { [.why($0)] } ?? [] : []
        return [.loads] + why
    }

    /// While a task runs, its time and its use of the machine change.
    var tick: Duration { isBusy ? .seconds(1) : .seconds(30) }

    mutating func hear(_ news: HostNews) {
        switch news {
        case .status(let report):
            self.report = report
            if isGone { message = nil }
            isGone = false
            if selection == nil { selected = rows.first?.task }
        case .loads(let loads, let time): usage.take(loads, at: time)
        case .why(let why):
            if why.verdict.task == selected { self.why = why }
        case .told(let sentence): message = sentence
        case .gone(let sentence):
            isGone = true
            message = sentence
        }
    }

    mutating func press(_ key: KeyPress) -> [LiveAction<LiveQuestion>] {
        if !isGone { message = nil }
        switch (key, pane) {
        case (.interrupt, _), (.character("q"), .none): return [.quit]
        case (.escape, .why), (.escape, .help), (.character("q"), _): pane = .none
        case (.character("?"), _), (.character("h"), _): pane = pane == .help ? .none : .help
        case (_, .help): _ = text.press(key)
        case (.character("w"), .none), (.enter, .none): return openWhy()
        case (.character("w"), .why), (.enter, .why): pane = .none
        case (.pageUp, .why), (.pageDown, .why), (.character(" "), .why): _ = text.press(key)
        case (.character("s"), _): order = order.next
        case (.character("l"), _): return act("launch", LiveQuestion.launch)
        case (.character("x"), _): return act("stop", LiveQuestion.stop)
        default: return move(key)
        }
        return []
    }

    private mutating func openWhy() -> [LiveAction<LiveQuestion>] {
        guard let selected else { return [] }
        pane = .why
        text = Scroll()
        return [.ask(.why(selected))]
    }

    private mutating func act(_ verb: String, _ question: (TaskIdentifier) -> LiveQuestion) -> [LiveAction<
        LiveQuestion
    >] {
        guard let task = selection?.task else { return [] }
        guard !isGone else { return [] }
        guard !task.isWildcard else {
            message = "\(task) stands for many tasks; `lull \(verb)` takes the name of one."
            return []
        }
        message = "Asked the host to \(verb) \(task) …"
        return [.ask(question(task))]
    }

    /// Moves the selection; the list follows it.
    private mutating func move(_ key: KeyPress) -> [LiveAction<LiveQuestion>] {
        let rows = self.rows
        let old = rows.firstIndex { $0.task == selected } ?? 0
        guard let index = Scroll.row(from: old, of: rows.count, key), index != old else { return [] }
        selected = rows[index].task
        guard pane == .why else { return [] }
        why = nil
        return openWhy()
    }

    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String] {
        TopScreen(
            size: size, phrases: phrases, terminal: Terminal(columns: size.columns, hasColour: hasColour)
        )
        .lines(&self)
    }
}

extension TopModel.Order {
    var next: Self {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    func sorted(_ tasks: [StatusReport.TaskStatus], _ usage: TopUsage) -> [StatusReport.TaskStatus] {
        func key(_ task: StatusReport.TaskStatus) -> Double {
            let isRunning = !task.running.isEmpty
            switch self {
            case .name: return 0
            case .state:
                if task.isFailing { return -1 }
                if isRunning { return 0 }
                if task.verdict.mayRun { return 1 }
                return task.needsSomebody ? 2 : 3
            case .next: return isRunning ? -1 : (task.next?.time).map { Double($0.milliseconds) } ?? .infinity
            case .cpu: return isRunning ? -(usage.share(of: task.app) ?? 0) : 1
            case .memory: return isRunning ? -Double(usage.memory(of: task.app) ?? 0) : 1
            }
        }
        return tasks.map { (key($0), $0) }
            .sorted { ($0.0, $0.1.task) < ($1.0, $1.1.task) }.map(\.1)
    }
}
