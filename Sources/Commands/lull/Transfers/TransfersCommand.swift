import ArgumentParser
import LullAnswers
import LullCommands
import LullControl
import LullModel

struct TransfersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "List, pause, resume or cancel the downloads and uploads of apps.",
        usage: "lull transfers [<options>] [<name>] | <subcommand> <id> ...",
        discussion: """
            For an app with `transfers` in jobs.yaml, Lull transfers files even while the app does not run. \
            `lull why t17` says why a transfer waits, and how far it has come.

            Examples:
              lull transfers
              lull transfers com.example.Mirror --json
              lull transfers pause t17
              lull transfers cancel t17 t18
            """,
        subcommands: [
            TransfersList.self, TransfersPause.self, TransfersResume.self, TransfersCancel.self,
        ], defaultSubcommand: TransfersList.self)
}

struct TransfersList: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the transfers whose result the app has not received.",
        usage: "lull transfers [list] [<options>] [<name>]",
        discussion: """
            Prints a line for each: its state, how much has been transferred, and why it waits. Only a running \
            host knows the rates and which transfers go on now. `lull history --event transfer` lists the \
            results of all.

            Examples:
              lull transfers
              lull transfers com.example.Mirror --json
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this app's, such as com.example.Mirror.") var name: AppName?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let reports = try ask(Ask.Transfers(try name.map(app)))
        if json { return try Output.json(reports.map(TransferJSON.init)) }
        guard !reports.isEmpty else { return Output.answer("No transfer is under way or waits.") }
        Output.answer(
            styled: TransfersText(reports: reports, phrases: options.phrases).rendered(for: .output))
    }
}

/// The number of a transfer, as people write it.
extension TransferID: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// Orders for several transfers: each is carried out, whatever becomes of the others.
struct TransferArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("A transfer, such as t17; `lull transfers` lists them.", valueName: "id"))
    var ids: [TransferID]

    func give(_ ordering: TransferOrdering, by command: some Asking, json: Bool) throws {
        var (said, refused): ([String], [String]) = ([], [])
        var isChange = false
        for id in ids {
            switch try command.answer(to: Ask.OrderTransfer(id, ordering)) {
            case .success(let answer):
                said.append(answer.sentence)
                if answer.wasSo != true { isChange = true }
            case .failure(let refusal): refused.append(refusal.sentence)
            }
        }
        if json, refused.isEmpty {
            return try Output.json(DoneJSON(OrderAnswer(said.joined(separator: " "), wasSo: !isChange)))
        }
        if !json { for sentence in said { Output.answer(command.options.remedy(sentence)) } }
        guard refused.isEmpty else { throw Failure(command.options.remedy(refused.joined(separator: "\n"))) }
    }
}

struct TransfersPause: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause transfers, and keep what they have transferred.",
        usage: "lull transfers pause [<options>] <id> ...",
        discussion: """
            The pause holds across restarts. The app can't resume a transfer that an operator has paused.

            Example:
              lull transfers pause t17
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var arguments: TransferArguments
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try arguments.give(.pause, by: self, json: json) }
}

struct TransfersResume: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume paused transfers, or retry interrupted ones at once.",
        usage: "lull transfers resume [<options>] <id> ...",
        discussion: """
            They still wait for the conditions that their app and the manifest require.

            Example:
              lull transfers resume t17
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var arguments: TransferArguments
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try arguments.give(.resume, by: self, json: json) }
}

struct TransfersCancel: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel transfers for good, and notify their apps.",
        usage: "lull transfers cancel [<options>] <id> ...",
        discussion: """
            Lull deletes what has been transferred. The app gets the same result as if it had cancelled the \
            transfer itself.

            Example:
              lull transfers cancel t17 t18
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var arguments: TransferArguments
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try arguments.give(.cancel, by: self, json: json) }
}
