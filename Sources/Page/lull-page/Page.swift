import ArgumentParser
import LullCommands
import LullModel

/// `lull web`: the page of a host, and its figures.
@main
struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull", version: LullVersion.text, subcommands: [Here<WebArguments>.self])

    static func main() {
        SurvivableSignals.take()
        FailedCommand.run(self)
    }
}
