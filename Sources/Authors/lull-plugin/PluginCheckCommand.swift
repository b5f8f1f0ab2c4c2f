import ArgumentParser
import Foundation
import Glibc
import LullCommands
import LullHost
import LullManifest
import LullModel
import LullSimulator

extension PluginCheckArguments: RunnableArguments {
    package func run() throws {
        guard !list, let file else { return listChecks() }
        let chosen = try only.map { name in
            guard let check = PluginCheck(rawValue: name) else {
                Output.error("Error: There is no check '\(name)'. `lull plugin check --list` lists them.")
                throw ExitCode(64)
            }
            return check
        }
        let path = options.absolute(file)
        guard access(options.worker, X_OK) == 0 else {
            throw Failure("There is no worker at '\(options.worker)'. Install lull-worker beside lull.")
        }
        let app = try manifest.map { try find(path, in: $0) }
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-plugin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // The app reaches its own folders through this one.
        guard chmod(scratch.path, 0o755) == 0 else {
            throw Failure("\(scratch.path) can't be opened to the app. Name another folder with TMPDIR.")
        }
        var random = SeededGenerator(seed: seed)
        let owner = try owner(app, scratch.path)
        let checker: Checker
        do {
            checker = try Checker(
                plugin: path, app: app, worker: options.worker, scratch: scratch.path,
                owner: owner, only: Set(chosen),
                settingsFault: { plugin in
                    guard case .failure(let fault)? = PluginSchemas.schema(of: plugin) else { return nil }
                    return "The schema of its settings is wrong: \(fault.message). Remedy: \(fault.fix)."
                },
                draw: { random.next() }
            ) { if !json { Output.answer(styled: Self.text($0)) } }
        } catch {
            throw Failure(error.message)
        }
        let report = checker.run()
        if json {
            try Output.json(PluginReportJSON(report, plugin: path, seed: seed))
        } else {
            Output.answer(summary(report, of: options.displayed(path), seed: seed))
        }
        if report.has(.fault) { throw ExitCode(1) }
        if isUnmade(report) { throw ExitCode(2) }
    }

    /// Whether a check could not be made; one that needs a manifest counts only if it was asked for by name.
    private func isUnmade(_ report: PluginReport) -> Bool {
        only.isEmpty ? !report.unmade.isEmpty : report.has(.skipped)
    }

    /// The user that root's host would run the app as; an app that is not known yet does not run as root here either.
    private func owner(_ app: App?, _ scratch: String) throws -> Checker.Owner? {
        guard geteuid() == 0 else { return nil }
        if let name = app?.namedUser {
            return Accounts.user(named: name).map {
                Checker.Owner(user: $0.number, group: $0.group, isAccount: false)
            }
        }
        guard app?.hasOwnAccount ?? true else { return nil }
        guard let account = AppAccount.ofThisMachine?.user(of: scratch + "/state") else {
            throw Failure(
                "There is no number left for the app's own account. Run the command as a user other than root, or name one "
                    + "with `user` in the manifest.")
        }
        return Checker.Owner(user: account.number, group: account.group, isAccount: true)
    }

    private func listChecks() {
        let width = PluginCheck.allCases.map(\.rawValue.count).max() ?? 0
        for check in PluginCheck.allCases {
            Output.answer(
                check.rawValue.padding(toLength: width + 2, withPad: " ", startingAt: 0) + check.meaning)
        }
    }

    /// The app of the manifest that has this file as its plugin.
    private func find(_ path: String, in manifest: String) throws -> App {
        let found = try options.readManifest(manifest, showsWarnings: false)
        func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        if let app = found.apps.first(where: { real($0.plugin) == real(path) }) { return app }
        guard found.apps.count == 1, let app = found.apps.first else {
            let apps = found.apps.map { "\($0.identifier): \($0.plugin)" }.joined(separator: "; ")
            throw Failure(
                "No app of \(manifest) has the plugin '\(path)'. Its apps have these: \(apps). Correct `plugin` there."
            )
        }
        return app
    }

    private static func text(_ finding: Finding) -> String {
        let terminal = Terminal.output
        let (word, style): (String, Terminal.Style) =
            switch finding.verdict {
            case .good: ("ok", .green)
            case .warning: ("warning", .yellow)
            case .fault: ("fault", .red)
            case .skipped: ("skipped", .dim)
            }
        let label = terminal.styled(word, style) + String(repeating: " ", count: 8 - word.count)
        if finding.verdict == .skipped {
            return
                "\(label) \(finding.check.rawValue): \(finding.sentences.joined(separator: "; ").terminalSafe)"
        }
        return
            ([label + " " + finding.check.rawValue]
            + finding.sentences.map { "         " + $0.terminalSafeLines })
            .joined(separator: "\n")
    }

    private func summary(_ report: PluginReport, of file: String, seed: UInt64) -> String {
        let faults = report.findings.count { $0.verdict == .fault }
        let warnings = report.findings.count { $0.verdict == .warning }
        let skipped = report.findings.count { $0.verdict == .skipped }
        var words =
            faults > 0
            ? Phrase.count(faults, "fault")
            : isUnmade(report) ? Phrase.count(skipped, "check") + " could not be made" : "nothing is wrong"
        if warnings > 0 { words += ", " + Phrase.count(warnings, "warning") }
        var made = report.builtAgainst.map { "built against \($0), worker speaks \(report.speaks)" } ?? ""
        if let sdk = report.sdk, !sdk.isEmpty { made += "; made by \(sdk.terminalSafe)" }
        let tasks = report.tasks.isEmpty ? "no task" : report.tasks.joined(separator: ", ")
        return """

            \(file): \(words).
            \(made.isEmpty ? "" : made + "; ")tasks: \(tasks); seed \(seed).
            """
    }
}

/// A report as programs read it.
private struct PluginReportJSON: Encodable {
    struct Entry: Encodable {
        let check: String
        let result: String
        let sentences: [String]
    }
    let plugin: String
    let seed: UInt64
    let builtAgainst: String?
    let speaks: String
    let sdk: String?
    let libraries: [String]
    let taskNames: [String]
    let faultCount: Int
    let checks: [Entry]

    init(_ report: PluginReport, plugin: String, seed: UInt64) {
        self.plugin = plugin
        self.seed = seed
        builtAgainst = report.builtAgainst
        speaks = report.speaks
        sdk = report.sdk
        libraries = report.libraries
        taskNames = report.tasks
        faultCount = report.findings.count { $0.verdict == .fault }
        checks = report.findings.map {
            Entry(check: $0.check.rawValue, result: $0.verdict.rawValue, sentences: $0.sentences)
        }
    }
}
