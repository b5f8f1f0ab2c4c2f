import ArgumentParser
import LullControl
import LullHost
import LullModel

struct StatusCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every app and task: what runs, what waits, and why.",
        discussion: """
            Of the running host or, when none runs, of the state that it left, judged now. Tasks that fail stand first, with \
            what their runs printed last.

            JSON has times as RFC 3339 in UTC and spans in milliseconds; what is unknown or does not apply is absent.

            Examples:
              lull status
              lull status --watch
              lull status --json | jq -r '.tasks[] | select(.verdict.may_run) | .task'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Stay, and show anew what changes; q quits.") var watch = false
    var manifest: String? { manifestOption.path }

    func validate() throws {
        if watch, json {
            throw ValidationError(
                "--watch is for people and --json for programs: give one. `lull history --json` has each event."
            )
        }
    }

    func run() throws {
        if watch {
            let instead = "`lull status` prints it once, and `lull status --json` is for programs."
            let screen = try Screen(command: "lull status --watch", instead: instead)
            return try LiveLoop.show(StatusWatch(), on: screen, options)
        }
        let report = try status()
        if json { return try Output.json(StatusJSON(report)) }
        Output.answer(styled: StatusText(report: report, phrases: options.phrases).rendered(for: .output))
    }
}
