import Glibc
import LullELF
import LullModel
import LullSystem
import LullWorkers

/// Puts a plugin through the contract, each check in a fresh worker.
///
/// The handlers run for real, with the settings that the manifest gives them. Each worker gets folders of its own for
/// state and temporary files; the caller removes them with `scratch`.
final class Checker {
    struct Failure: Error { let message: String }

    /// The user that the workers run as, if it is not the user who checks.
    struct Owner: Sendable, Equatable {
        var user: UInt32
        var group: UInt32
        /// Whether it is an account of the app's own, and not a user's.
        var isAccount: Bool
    }

    /// How long a run may take before it is expired.
    static let timeout: Duration = .seconds(10)
    static let randomInstants = 8
    static let repeatedRuns = 6

    let plugin: String
    /// The app in the manifest; nil: only what the plugin registers is known.
    let manifestApp: App?
    let bench: CheckBench
    let scratch: String
    private let owner: Owner?
    let wanted: Set<PluginCheck>
    private var random: Drawn
    var report = PluginReport()
    /// Each task that a handler was registered for.
    var app: App
    var normal: [TaskIdentifier: Normal] = [:]
    private let onFinding: (Finding) -> Void
    /// The fault of the settings schema that a plugin's file declares; nil: none, or there is no schema.
    let settingsFault: (_ plugin: String) -> String?
    private var workers = 0
    private(set) var temporary = ""

    /// The result of a task's run that was not disturbed.
    struct Normal {
        let duration: Duration
        let success: Bool
        /// False: it went on until it was expired.
        var endsByItself: Bool { duration < Checker.timeout }
    }

    private struct Drawn: RandomNumberGenerator {
        let draw: () -> UInt64
        func next() -> UInt64 { draw() }
    }

    /// `scratch`: an empty folder. `owner`: the user to run the plugin as. `draw`: random numbers. `settingsFault`:
    /// from a plugin's file to the fault of its schema. `only`: all checks when empty; checks that they build upon are
    /// made as well.
    init(
        plugin: String, app: App?, worker: String, scratch: String, owner: Owner? = nil,
        only: Set<PluginCheck> = [],
        settingsFault: @escaping (_ plugin: String) -> String?, draw: @escaping () -> UInt64,
        onFinding: @escaping (Finding) -> Void
    ) throws(Failure) {
        do throws(LoopError) {
            bench = try CheckBench(worker: worker)
        } catch {
            throw Failure(message: error.message)
        }
        guard let unnamed = AppIdentifier("org.example.plugin") else {
            preconditionFailure("org.example.plugin is an app's identifier")
        }
        self.plugin = plugin
        self.manifestApp = app
        self.scratch = scratch
        self.owner = owner
        random = Drawn(draw: draw)
        self.settingsFault = settingsFault
        self.onFinding = onFinding
        wanted = only.isEmpty ? Set(PluginCheck.allCases) : only
        self.app = app ?? App(identifier: unnamed, plugin: plugin)
        self.app.plugin = plugin
        report.speaks = "\(PluginFacts.ownMajor).\(PluginFacts.ownMinor)"
    }

    func run() -> PluginReport {
        guard checkFile() else { return finish("the file is not a plugin") }
        guard checkStart() else { return finish("it does not start") }
        checkTasks()
        // Every worker may have touched its socket.
        conclude(.leavesSocketAlone, socketFaults)
        return finish(
            app.tasks.contains(where: \.enabled) ? "no run of its tasks ended" : "it has no task to run")
    }

    func add(_ check: PluginCheck, _ verdict: Finding.Verdict, _ sentences: [String] = []) {
        guard wanted.contains(check) else {
            if verdict == .fault, obstacle == nil { obstacle = sentences.first }
            return
        }
        guard !report.findings.contains(where: { $0.check == check }) else { return }
        let finding = Finding(check: check, verdict: verdict, sentences: sentences)
        report.findings.append(finding)
        onFinding(finding)
    }

    /// A check without faults is good if it was made with every task.
    func conclude(_ check: PluginCheck, _ faults: [String], as verdict: Finding.Verdict = .fault) {
        if faults.isEmpty, let reasons = unmade[check] { return add(check, .skipped, reasons) }
        add(check, faults.isEmpty ? .good : verdict, faults)
    }

    /// Notes that these checks can't be made with a task.
    func leaveOut(_ checks: Set<PluginCheck>, _ task: TaskDefinition, _ reason: String) {
        for check in checks { unmade[check, default: []].append("\(task.identifier): \(reason)") }
    }

    private func finish(_ reason: String) -> PluginReport {
        let reason = obstacle.map { "\(reason): \($0)" } ?? reason
        let missing = PluginCheck.allCases.filter { check in !report.findings.contains { $0.check == check } }
        for check in missing { add(check, .skipped, [reason]) }
        return report
    }

    var socketFaults: [String] = []
    /// The first fault of a check that was not asked for: it may be why other checks can't be made.
    private var obstacle: String?
    /// Why checks could not be made, for each task concerned.
    private var unmade: [PluginCheck: [String]] = [:]

    /// A fresh worker with folders of its own; `keeping`: with the state that another one left.
    func trial(of app: App? = nil, keeping state: String? = nil, minor: Int? = nil) -> Trial {
        workers += 1
        let folder = state ?? "\(scratch)/state-\(workers)"
        temporary = "\(scratch)/tmp-\(workers)"
        mkdir(folder, 0o700)
        mkdir(temporary, 0o700)
        if let owner {
            for folder in [folder, temporary] { lchown(folder, owner.user, owner.group) }
        }
        // A worker inherits it, so the checker finds out what is left in it.
        setenv("TMPDIR", temporary, 1)
        let app = app ?? self.app
        return Trial(
            bench, app: app,
            spec: WorkerSpec(
                app: app, stateFolder: folder, account: owner.flatMap { $0.isAccount ? $0.user : nil },
                minor: minor))
    }

    var lastState: String { "\(scratch)/state-\(workers)" }

    /// Ends a trial, and keeps its faults on the socket.
    func end(_ trial: Trial) {
        for violation in trial.violations
        where violation.isFatal && !socketFaults.contains(violation.sentence) {
            socketFaults.append(violation.sentence)
        }
        trial.finish()
    }

    func randomDuration(upTo limit: Duration) -> Duration {
        .nanoseconds(Int64.random(in: 0...max(1, limit.nanoseconds), using: &random))
    }
}

extension Trial.Start {
    /// Why it did not start; nil: it did.
    var fault: String? {
        switch self {
        case .ready: nil
        case .refused(let sentence): sentence
        case .ended(let sentence):
            "Its worker \(sentence). `start` does that in each worker: fix it."
        case .late:
            "It was not ready after 10 s: loading it, with its constructors, or `start` takes too long. Register the handlers, "
                + "and leave the work to the runs."
        }
    }
}
