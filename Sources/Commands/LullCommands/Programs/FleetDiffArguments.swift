import ArgumentParser

package struct FleetDiffArguments: CommandArguments {
    package static let program = "lull-lab"
    package static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what this host would have done differently in a fleet.",
        usage: "lull fleet diff [<options>]",
        discussion: """
            Replays this host's history twice through the real scheduler on a virtual clock: as a host alone, \
            and as the only host of a fleet. It lists each slot (one time of one task) that ran at different \
            times, or in only one of the two, with the gates that were closed. Uses, conditions, sleep, events \
            and durations of runs come from the history; the manifest is today's. It launches nothing and asks \
            no database: a model of the database always answers at once.

            --any-host treats each task with `at` or `repeat` as if it had `scope: any_host`, so that you can \
            try this first. Exits with 1 if anything differs.

            Examples:
              lull fleet diff
              lull fleet diff --any-host
              lull fleet diff --last 30d --json
            """)

    @OptionGroup package var options: StateOptions
    @OptionGroup package var manifestOption: ManifestOption
    @Option(
        help: ArgumentHelp("How much of the history to replay: 14d, 36h.", valueName: "span"),
        transform: SpanArgument.told)
    package var last = SpanArgument(span: .days(14))
    @Flag(help: "Treat each task with times as if it had `scope: any_host`.") package var anyHost = false
    @Flag(help: "Print JSON.") package var json = false

    package func validate() throws {
        guard last.span <= .days(400) else { throw ValidationError("--last is 400 days at most.") }
    }

    package init() {}
}
