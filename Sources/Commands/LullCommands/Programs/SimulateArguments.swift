import ArgumentParser

package struct SimulateArguments: CommandArguments {
    package static let program = "lull-lab"
    package static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Show what this manifest would launch over the next days.",
        usage: "lull simulate [<options>] [<file>]",
        discussion: """
            Runs the real scheduler on a virtual clock, from the current state. It assumes that people use the \
            apps next week as they did last week, that the host's conditions stay as they are, and that every \
            run succeeds and takes as long as the task's last one, or a second. It launches and records \
            nothing.

            Events of `on` come as they came last week; the next task of a chain follows by itself. --event \
            TASK=SPAN adds one event for TASK every SPAN.

            Times are in the host's time zone, which is named below them; with --json they are in UTC. It \
            names each app that becomes idle, with the time. If a task's `expect` would be broken, it names \
            the gates that are to blame, and exits with 1.

            Examples:
              lull simulate
              lull simulate --days 30 --json
              lull simulate --event com.example.Inbox.scan=30m
            """)

    @OptionGroup package var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest")) package var file: String?
    @Option(help: "How many days to simulate.") package var days = 7
    @Option(name: .customLong("event"), help: "How often an event of `on` comes for a task: TASK=30m.")
    package var events: [String] = []
    @Flag(help: "Print JSON: one object for each launch.") package var json = false

    package func validate() throws {
        guard (1...400).contains(days) else { throw ValidationError("--days is between 1 and 400.") }
    }

    package init() {}
}
