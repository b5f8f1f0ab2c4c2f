import ArgumentParser

package struct ImportTimersArguments: CommandArguments {
    package static let program = "lull-import"
    package static let configuration = CommandConfiguration(
        commandName: "timers", abstract: "Convert systemd timers into a manifest.",
        usage: "lull import timers [<options>] [<dir> ...]",
        discussion: """
            Imports the timers in these folders that systemd starts on this machine: enabled or wanted by \
            another unit, not masked, with conditions that hold. It names the others and leaves them out; \
            --all imports them too. With each timer it imports the service that the timer starts, and the \
            drop-ins of both.

            Without DIR it reads the administrator's folder: /etc/systemd/system for root, ~/.config/systemd/user \
            for others. The timers of packages are in /usr/lib/systemd/system. In a folder that systemd does not \
            read, timers are enabled by links in that folder, such as DIR/timers.target.wants.

            Exits with 1 if a timer could not be carried over.

            Examples:
              lull import timers --out /etc/lull/jobs.yaml
              lull import timers /usr/lib/systemd/system
              lull import timers --root /mnt/old-server
            """)

    @Argument(help: ArgumentHelp("Folders with .timer and .service files.", valueName: "dir"))
    package var folders: [String] = []
    @Option(
        help: ArgumentHelp("The root folder of another machine, such as a mounted disk.", valueName: "dir"))
    package var root: String?
    @Flag(help: "Also import timers that systemd does not start.") package var all = false
    @OptionGroup package var target: ImportTarget

    package init() {}
}
