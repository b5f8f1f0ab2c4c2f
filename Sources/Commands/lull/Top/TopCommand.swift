import ArgumentParser
import Glibc
import LullCommands
import LullControl
import LullSystem

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch the host or its fleet work: what runs, what waits, and why.",
        usage: "lull top [<options>]",
        discussion: """
            Needs a running host and a terminal. For each run it shows how long it has been running and how \
            much of the machine its worker uses; for every other task, what it waits for. The screen follows \
            each change.

            Keys: ↑ ↓ select, w why, l launch, x stop, s sort, ? help, q quit.

            With --fleet it needs the fleet's database, and no host. It shows the hosts with trouble, what \
            runs where, what failed within a day, what is due but not taken, and the other hosts. It asks the \
            database every few seconds.

            Keys there: ↑ ↓ select, Tab next part, w why, ? help, q quit.

            Examples:
              lull top
              lull top --fleet
              lull status --watch     the same without keys, everything in full
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var fleet: FleetFlag

    func run() throws {
        let status = fleet.fleet ? "lull status --fleet" : "lull status"
        let screen = try Screen(
            command: fleet.fleet ? "lull top --fleet" : "lull top",
            instead: "`\(status)` prints it once, and `\(status) --json` is for programs.")
        guard fleet.fleet else { return try LiveLoop.show(TopModel(), on: screen, options) }
        let fleet = try options.fleet()
        try LiveLoop.show(FleetTopModel(fleet: fleet.name, state: options.state), on: screen) {
            FleetWatch(fleet, channel: $0)
        }
    }
}

extension LiveLoop {
    /// Shows a view until it is quit; a signal ends the program as it would have without the view.
    static func show(_ view: View, on screen: Screen, from source: @escaping Source) throws {
        guard let signal = try LiveLoop(view, on: screen, from: source).run() else { return }
        if signal != SIGINT { throw ExitCode(128 + signal) }
    }
}

extension LiveLoop where View.News == HostNews, View.Question == LiveQuestion {
    /// Shows a view of the host that runs.
    static func show(_ view: View, on screen: Screen, _ options: StateOptions) throws {
        let folder = try options.checkedFolder().path
        do throws(ControlError) {
            _ = try ControlClient(stateFolder: folder)
        } catch .notRunning {
            throw Failure(
                "No host is running on \(folder), so nothing changes there. `lull run` starts one; `lull status` shows "
                    + "what the last one left.")
        } catch {
            throw Failure(error.message)
        }
        try show(view, on: screen) { HostListener(folder: folder, channel: $0) }
    }
}
