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
            An app with `transfers` in jobs.yaml has files transferred without it. `lull why t17` says why one \
            waits, and what became of it so far.

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
        commandName: "list", abstract: "List the transfers whose end their apps have yet to hear of.",
        usage: "lull transfers [list] [<options>] [<name>]",
        discussion: """
            A line for each: its state, how much of it has come or gone, and why it waits. Rates and what is under \
            way are known to a running host alone. `lull history --event transfer` has what became of all.

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
            return try Output.json(DoneJSON(Said(said.joined(separator: " "), wasSo: !isChange)))
        }
        if !json { for sentence in said { Output.answer(command.options.remedy(sentence)) } }
        guard refused.isEmpty else { throw Failure(command.options.remedy(refused.joined(separator: "\n"))) }
    }
}

struct TransfersPause: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop transfers until they are resumed; what has come is kept.",
        usage: "lull transfers pause [<options>] <id> ...",
        discussion: """
            Holds across restarts. The app can't resume what an operator has paused.

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
        commandName: "resume", abstract: "Let transfers go on, or try again at once what was interrupted.",
        usage: "lull transfers resume [<options>] <id> ...",
        discussion: """
            They still wait for what their app requires and the manifest says.

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
        commandName: "cancel", abstract: "Cancel transfers for good; their apps are told.",
        usage: "lull transfers cancel [<options>] <id> ...",
        discussion: """
            What has come is removed. The app is told as if it had cancelled the transfer itself.

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
