import LullHistory
import LullModel

/// The target of a path; nil where there is none, so that the router is a table.
enum WebRoute: Equatable {
    /// The orders of an operator for a task.
    enum TaskAct: String, CaseIterable { case launch, stop, cancel, submit, pause, resume, enable, disable }
    /// The orders of an operator for an app.
    enum AppAct: String, CaseIterable { case used, enable, disable, pause, resume }
    /// The orders of an operator for the whole host.
    enum HostAct: String, CaseIterable { case reload, pause, resume }

    case page(PageFile)
    case status
    case why(TaskIdentifier)
    case forecast(AppIdentifier)
    case transfers(AppIdentifier)
    case history
    case timeline
    case runs
    case run(RunID)
    case output(RunID)
    case live
    case metrics
    /// All hosts that share a database.
    case fleet
    case fleetMetrics
    /// Whether the token is right.
    case token
    case host(HostAct)
    case task(TaskIdentifier, TaskAct)
    case app(AppIdentifier, AppAct)
    /// A message from outside.
    case push(AppIdentifier)

    init?(path: String) {
        if let file = PageFile.at(path: path) {
            self = .page(file)
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (parts.first, parts.count) {
        case ("metrics", 1): self = .metrics
        case ("metrics", 2):
            guard parts[1] == "fleet" else { return nil }
            self = .fleetMetrics
        case ("push", 2):
            guard let app = AppIdentifier(parts[1]) else { return nil }
            self = .push(app)
        case ("api", 2...): self.init(api: Array(parts.dropFirst()))
        default: return nil
        }
    }

    private init?(api parts: [String]) {
        switch (parts[0], parts.count) {
        case ("status", 1): self = .status
        case ("history", 1): self = .history
        case ("timeline", 1): self = .timeline
        case ("runs", 1): self = .runs
        case ("live", 1): self = .live
        case ("fleet", 1): self = .fleet
        case ("token", 1): self = .token
        case (_, 1):
            guard let act = HostAct(rawValue: parts[0]) else { return nil }
            self = .host(act)
        case ("tasks", 2...3):
            guard let task = TaskIdentifier(parts[1]) else { return nil }
            guard parts.count == 3 else {
                self = .why(task)
                return
            }
            guard let act = TaskAct(rawValue: parts[2]) else { return nil }
            self = .task(task, act)
        case ("apps", 3):
            guard let app = AppIdentifier(parts[1]) else { return nil }
            if parts[2] == "forecast" {
                self = .forecast(app)
                return
            }
            if parts[2] == "transfers" {
                self = .transfers(app)
                return
            }
            guard let act = AppAct(rawValue: parts[2]) else { return nil }
            self = .app(app, act)
        case ("runs", 2...3):
            guard let number = UInt64(parts[1]) else { return nil }
            guard parts.count == 3 else {
                self = .run(RunID(number))
                return
            }
            guard parts[2] == "output" else { return nil }
            self = .output(RunID(number))
        default: return nil
        }
    }

    var door: WebGuard.Door {
        switch self {
        case .page: .page
        case .status, .why, .forecast, .transfers, .history, .timeline, .runs, .run, .live, .metrics, .fleet,
            .fleetMetrics:
            .reading
        case .output: .output
        case .token: .checking
        case .host, .task, .app: .changing
        case .push: .pushing
        }
    }

    var method: String { [.changing, .checking, .pushing].contains(door) ? "POST" : "GET" }
}
