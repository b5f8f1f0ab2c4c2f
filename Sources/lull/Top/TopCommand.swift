import ArgumentParser
import Glibc
import LullControl

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Watch the host work: what runs, what waits, and why.",
        usage: "lull top [<options>]",
        discussion: """
            Needs a running host and a terminal. Of each run it shows how long it has been running and what its \
            worker uses of the machine; of everything else, what it waits for. It is redrawn on each change.

            Keys: ↑ ↓ select, w why, l launch, e expire, s sort, ? help, q quit.

            Examples:
              lull top
              lull status --watch     the same without keys, everything in full
            """)

    @OptionGroup var options: StateOptions

    func run() throws {
        let instead = "`lull status` prints what is, and `lull status --json` is for programs."
        let screen = try Screen(command: "lull top", instead: instead)
        try LiveLoop.show(TopModel(), on: screen, options)
    }
}

extension LiveLoop {
    /// Shows a view until it is quit; a signal ends the program as it would have without the view.
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
        guard let signal = try LiveLoop(view, on: screen, folder: folder).run() else { return }
        if signal != SIGINT { throw ExitCode(128 + signal) }
    }
}
