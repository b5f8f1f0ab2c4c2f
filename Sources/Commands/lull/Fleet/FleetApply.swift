import ArgumentParser
import Foundation
import LullCommands
import LullFleet
import LullManifest
import LullModel

struct FleetApply: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Give another manifest to the hosts that follow the fleet, or take it back.",
        usage: "lull fleet apply [<options>] <new>",
        discussion: """
            A host with `fleet: { follow: FILE }` in its own manifest follows: it writes the manifest that you \
            apply here into that file, and runs it in addition to its own. The command reads NEW as hosts read \
            it, and first shows what it would change; --dry-run ends there, with 1 if NEW would change \
            something.

            First comes a trial of an hour, or as long as --for says, on all hosts that follow, or on some of \
            them (--canary). The hosts go back to the previous manifest if a host can't use the new one, if a \
            canary does not answer for 2 min, or if too many runs fail: at least three, more than 2 %, and \
            twice as many as on the day before. Otherwise all hosts keep it after the trial.

            With --wait it exits with 0 once all hosts that follow have it, and with 1 if one can't use it or \
            it was taken back. With --canary or --for it also waits for the end of the trial.

            Examples:
              lull fleet apply fleet.yaml --dry-run
              lull fleet apply fleet.yaml --canary 5% --for 2h
              lull fleet apply fleet.yaml --now        for all hosts, and not tried
              lull fleet apply --back
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Argument(
        help: "The manifest for the hosts that follow, without `fleet` and `include`.", completion: .file())
    var new: String?
    @Option(
        help: ArgumentHelp("The share of hosts that try it first: 5%.", valueName: "share"))
    var canary: ShareArgument?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long the trial lasts. Default 1h.", valueName: "span"),
        transform: SpanArgument.told)
    var watch: SpanArgument?
    @Flag(help: "Apply it to all hosts that follow, without a trial: Lull never takes it back by itself.")
    var now = false
    @Flag(help: "Show what would change, and change nothing.") var dryRun = false
    @Flag(
        help:
            "Wait until all hosts that follow have it, with --canary or --for until its trial is over.")
    var wait = false
    @Flag(help: "Take back the manifest on trial, or else the last one applied.") var back = false

    private var span: Duration { now ? .zero : watch?.span ?? .hours(1) }

    func validate() throws {
        if back, new != nil || canary != nil || watch != nil || now || dryRun || wait {
            throw ValidationError(
                "--back takes back what was applied. Give it no file and no other option.")
        }
        if !back, new == nil {
            throw ValidationError(
                "Name the manifest to apply, as in `lull fleet apply fleet.yaml`. `lull fleet manifest` prints "
                    + "what hosts have now.")
        }
        if now, canary != nil || watch != nil {
            throw ValidationError(
                "--now applies the manifest without a trial: leave out --canary and --for.")
        }
        if span > .days(30) { throw ValidationError("--for is 30d at most.") }
    }

    func run() throws {
        let desk = try desk(definition())
        guard let new else { return try takeBack(desk) }
        let (text, manifest) = try options.readShared(new)
        let rollout = try asking { () throws(FleetTrouble) in try desk.rollout() }
        let old = try asking { () throws(FleetTrouble) in try desk.manifest() }
        let diff = difference(to: manifest, from: old)
        Output.answer(styled: diff.rendered(for: .output))
        if let rollout { Output.answer(FleetRolloutText.before(rollout)) }
        if diff.isEmpty, rollout?.state != .watched { return }
        if dryRun { throw ExitCode(1) }
        let order = FleetDesk.Order(
            text, hash: ManifestReader.hash(text.utf8), by: Self.author, share: canary?.share ?? 100,
            watch: span,
            after: rollout?.number)
        let number: Int64
        switch try asking({ () throws(FleetTrouble) in try desk.apply(order) }) {
        case .done(let given, _): number = given
        case .overtaken(let other): throw Failure(FleetRolloutText.overtaken(by: other))
        case .nobody: throw Failure(FleetRolloutText.nobody)
        }
        if let after = try asking({ () throws(FleetTrouble) in try desk.rollout() }) {
            Output.answer(FleetRolloutText.applied(after))
        }
        if wait { try waitForEnd(of: number, desk) }
    }

    /// The change for a host that has the manifest in force.
    private func difference(to new: Manifest, from old: FleetDesk.Text?) -> FleetDifference {
        guard let old else { return FleetDifference(new: new, old: Manifest(), from: nil) }
        let name = "manifest \(old.number)"
        let reader = ManifestReader(pluginPath: options.pluginPath)
        let before = reader.read(shared: Array(old.text.utf8), path: name)
        return FleetDifference(new: new, old: before.manifest ?? before.draft ?? Manifest(), from: name)
    }

    private func takeBack(_ desk: FleetDesk) throws {
        guard let answer = try asking({ () throws(FleetTrouble) in try desk.back(by: Self.author) }) else {
            throw Failure(FleetRolloutText.nothingToTakeBack)
        }
        Output.answer(FleetRolloutText.takenBack(answer.withdrawn, to: answer.inForce))
    }

    private func waitForEnd(of number: Int64, _ desk: FleetDesk) throws {
        var said: String?
        while true {
            let rollout = try asking { () throws(FleetTrouble) in try desk.rollout() }
            guard let rollout, rollout.number == number else {
                throw Failure(FleetRolloutText.overtaken(by: rollout?.number ?? 0))
            }
            // An operator who names a trial's length or its hosts waits for the trial's result.
            let isEnough = rollout.state == .whole || rollout.share == 100 && watch == nil
            if rollout.state == .withdrawn { throw Failure(rollout.sentences[0]) }
            if let refusal = rollout.refusals.first(where: { $0.number == number }) {
                throw Failure(FleetRolloutText.refused(refusal))
            }
            let wait = FleetRolloutText.waits(for: rollout, trial: !isEnough)
            guard let wait else { return Output.answer(rollout.sentences[0]) }
            if wait != said { Output.error(wait) }
            said = wait
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// The person who gives the order, and their machine.
    static var author: String {
        let environment = ProcessInfo.processInfo.environment
        return (environment["SUDO_USER"] ?? NSUserName()) + "@" + ProcessInfo.processInfo.hostName
    }
}

struct FleetManifest: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Print a manifest that was applied to the fleet.",
        usage: "lull fleet manifest [<options>] [<number>]",
        discussion: """
            Examples:
              lull fleet manifest > fleet.yaml     to change it and apply it again
              lull fleet manifest 7                an earlier one, of the last 100
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Argument(help: "Its number. Default the manifest in force.") var number: Int64?

    func run() throws {
        let desk = try desk(definition())
        guard let found = try asking({ () throws(FleetTrouble) in try desk.manifest(number) }) else {
            let newest = try asking { () throws(FleetTrouble) in try desk.rollout() }
            throw Failure(FleetRolloutText.noManifest(number, newest))
        }
        Output.data(found.text)
    }
}

/// A percentage, such as `5%`.
struct ShareArgument: ExpressibleByArgument {
    let share: Double

    init?(argument: String) {
        guard argument.hasSuffix("%"), let share = Double(argument.dropLast()), share > 0, share <= 100 else {
            return nil
        }
        self.share = share
    }
}

/// The difference between the manifest that hosts would get and the one that they have.
struct FleetDifference {
    private let comparison: ManifestComparison
    var isEmpty: Bool { comparison.diff.isEmpty }

    init(new: Manifest, old: Manifest, from name: String?) {
        var old = old
        old.path = name ?? "no manifest"
        comparison = ManifestComparison(
            new: new, old: old, diff: ManifestDiff(from: old, to: new, places: KeyPlaces(of: new)))
    }

    func rendered(for terminal: Terminal) -> String { DiffText(comparison).rendered(for: terminal) }
}

extension StateOptions {
    /// A manifest for other hosts, with its text as they get it; prints its problems, and ends with 1 if it has errors. It
    /// can't know which plugins those hosts have.
    func readShared(_ file: String) throws -> (text: String, Manifest) {
        let path = displayed(absolute(file))
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try LocalFileSystem().bytes(of: path)
        } catch {
            throw Failure(Diagnostic(path: path, problem: .file(error)).rendered())
        }
        let result = ManifestReader(pluginPath: pluginPath).read(shared: bytes, path: path)
        let errors = result.diagnostics.filter { diagnostic in
            if case .plugin(.notFound) = diagnostic.problem { return false }
            return diagnostic.severity == .error
        }
        for text in NoteList(errors.map(ManifestNote.init)).rendered(for: .error) {
            Output.error(styled: text)
        }
        guard errors.isEmpty, let manifest = result.manifest ?? result.draft else {
            Output.error("\(path): \(Phrase.count(errors.count, "error")).")
            throw ExitCode(1)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return (text.hasSuffix("\n") ? text : text + "\n", manifest)
    }
}
