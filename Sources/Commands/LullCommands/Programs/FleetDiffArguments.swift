import ArgumentParser

package struct FleetDiffArguments: CommandArguments {
    package static let program = "lull-lab"
    package static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what this host would have decided otherwise in a fleet.",
        usage: "lull fleet diff [<options>]",
        discussion: """
            Replays this host's history twice through the real scheduler on a virtual clock: as a host alone, and as \
            the only host of a fleet. It names each slot, which is one time of one task, that was run at another time, \
            or only by one of the two, with the gates that were closed. Uses, conditions, sleep, events and how long runs \
            took are taken from the history; the manifest is today's. Nothing is launched, and no database is asked: a \
            model of it answers, at once and always.

            --any-host treats each task with `at` or `repeat` as if it had `scope: any_host`, to try that before it is \
            written. Exits with 1 where anything is decided otherwise.

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
    @Flag(help: "Take each task with times as if it had `scope: any_host`.") package var anyHost = false
    @Flag(help: "Print JSON.") package var json = false

    package func validate() throws {
        guard last.span <= .days(400) else { throw ValidationError("--last is 400 days at most.") }
    }

    package init() {}
}
