import ArgumentParser
import LullCommands
import LullControl
import LullHost
import LullModel

struct StatusCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every app and task: what runs, what waits, and why.",
        usage: "lull status [<options>] [<name>]",
        discussion: """
            Asks the running host. If none runs, it judges the state that the last one left, as of now. \
            Failing tasks come first, with the last lines that their runs printed.

            --fleet asks the fleet's database: what failed within a day, what runs where, and the hosts. \
            `lull fleet status` shows the fleet itself: clocks, versions, manifests, and tasks that hosts disagree about.

            In JSON, times are RFC 3339 in UTC and spans are in milliseconds; what is unknown or does not apply is \
            left out.

            Examples:
              lull status
              lull status nightly
              lull status --watch
              lull status --fleet
              lull status --json | jq -r '.tasks[] | select(.verdict.may_run) | .task'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this task or app, in full or by its last word where that is unique.")
    var name: TaskOrAppName?
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Stay and redraw on each change; q quits.") var watch = false
    @OptionGroup var fleet: FleetFlag
    var manifest: String? { manifestOption.path }

    func validate() throws {
        if fleet.fleet, watch || name != nil {
            throw ValidationError(
                "--fleet shows all hosts. `lull why TASK --fleet` shows one task.")
        }
        if watch, name != nil {
            throw ValidationError("--watch shows all. `lull why NAME` shows one task or app.")
        }
        if watch, json {
            throw ValidationError(
                "--watch is for people and --json for programs: give one. `lull history --json` has each event."
            )
        }
    }

    func run() throws {
        guard !fleet.fleet else { return try showFleet() }
        if watch {
            let instead = "`lull status` prints it once, and `lull status --json` is for programs."
            let screen = try Screen(command: "lull status --watch", instead: instead)
            return try LiveLoop.show(StatusWatch(), on: screen, options)
        }
        let all = try status(isBrief: !json)
        let report = try name.map { try all.only(NameResolver(all).taskOrApp($0.text)) } ?? all
        if json { return try Output.json(StatusJSON(report)) }
        Output.answer(styled: StatusText(report: report, phrases: options.phrases).rendered(for: .output))
    }
}

extension StatusReport {
    /// With one task and its app, or one app and its tasks.
    fileprivate func only(_ found: NameResolver.Found) throws -> StatusReport {
        var report = self
        switch found {
        case .app(let app):
            report.apps = apps.filter { $0.app == app }
            report.tasks = tasks.filter { $0.app == app }
        case .task(let task):
            report.tasks = tasks.filter { $0.task == task }
            report.apps = apps.filter { app in report.tasks.contains { $0.app == app.app } }
        }
        guard !report.apps.isEmpty else { throw Failure("No task or app is called \(found.name).") }
        return report
    }
}
