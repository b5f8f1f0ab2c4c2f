/// One check of a plugin; `--only` and reports use its name.
enum PluginCheck: String, Sendable, CaseIterable {
    // Checks of the file, without running any of it.
    case isALibrary = "is-a-library"
    case entryExported = "entry-exported"
    case abiMajor = "abi-major"
    case entryComplete = "entry-complete"
    case onlyEntryExported = "only-entry-exported"
    case settingsDeclared = "settings-declared"
    // Checks of its start.
    case loads
    case starts
    case startsInTime = "starts-in-time"
    case survivesOlderHost = "survives-older-host"
    case registersSomething = "registers-something"
    case registersPermitted = "registers-what-is-permitted"
    case registersOnlyPermitted = "registers-only-permitted"
    // Checks of each of its tasks.
    case launchReturns = "launch-returns"
    case completes
    case completesOnce = "completes-once"
    case expiresAtOnce = "expires-at-once"
    case expiresWhileRunning = "expires-while-running"
    case expiresAtRandom = "expires-at-random"
    case leavesNoThread = "leaves-no-thread"
    case leavesNoDescriptor = "leaves-no-descriptor"
    case leavesNoProcess = "leaves-no-process"
    case leavesNoFile = "leaves-no-file"
    case isLight = "is-light"
    case rests
    case canBeSuspended = "can-be-suspended"
    case runsAfterKill = "runs-after-a-kill"
    // A check of all its workers.
    case leavesSocketAlone = "leaves-the-socket-alone"

    /// The checks that are made before any task is launched.
    static let beforeRuns: Set<PluginCheck> = [
        .isALibrary, .entryExported, .abiMajor, .entryComplete, .onlyEntryExported, .settingsDeclared, .loads,
        .starts, .startsInTime, .registersSomething, .registersPermitted, .registersOnlyPermitted,
    ]

    /// The rule that a plugin has to keep.
    var meaning: String {
        switch self {
        case .isALibrary: "the file is a complete shared library for this machine"
        case .entryExported: "it exports lull_plugin_entry, a constant"
        case .abiMajor: "its entry has the major version that this Lull speaks"
        case .entryComplete: "its entry has at least the size of version 1.0, `start` and `launch`"
        case .onlyEntryExported: "a plugin in C exports nothing else"
        case .settingsDeclared: "the schema of its settings, if it declares one, can be read"
        case .loads: "all libraries and symbols that it needs are there"
        case .starts: "`start` returns 0"
        case .startsInTime: "loading and `start` take no longer than a second"
        case .survivesOlderHost: "it starts and runs with a host of version 1.0, whose table ends earlier"
        case .registersSomething: "it registers a handler"
        case .registersPermitted: "it registers each task of the manifest"
        case .registersOnlyPermitted: "it registers nothing that the manifest does not permit"
        case .launchReturns: "`launch` returns within 100 ms"
        case .completes: "each run completes, by itself or when it has expired"
        case .completesOnce: "each run is completed once"
        case .expiresAtOnce: "a run that expires while it is launched ends within its grace"
        case .expiresWhileRunning: "a run that expires after its launch has returned ends within its grace"
        case .expiresAtRandom: "a run that expires at any moment ends within its grace"
        case .leavesNoThread: "a run leaves no thread behind"
        case .leavesNoDescriptor: "a run leaves no open descriptor behind"
        case .leavesNoProcess: "a run leaves no process behind"
        case .leavesNoFile: "a run leaves no file in the folder for temporary files"
        case .isLight: "a run takes little of the processor and of memory"
        case .rests: "between runs it takes no processor time"
        case .canBeSuspended: "between runs it holds no file lock"
        case .runsAfterKill: "when its process was killed in a run, the next run does what it did before"
        case .leavesSocketAlone: "it leaves the worker's socket to the worker"
        }
    }
}

/// The result of one check.
struct Finding: Sendable, Equatable {
    enum Verdict: String, Sendable { case good, warning, fault, skipped }

    let check: PluginCheck
    let verdict: Verdict
    /// The faults with their remedies, or why the check was not made; empty: none.
    let sentences: [String]
}

/// The results of all checks of a plugin.
struct PluginReport: Sendable {
    var findings: [Finding] = []
    /// "1.0", or nil when there is no entry that says so.
    var builtAgainst: String?
    var speaks = ""
    var sdk: String?
    var libraries: [String] = []
    var tasks: [String] = []

    /// The checks that were not made, but for those that lacked only a manifest.
    var unmade: [Finding] {
        findings.filter { $0.verdict == .skipped && $0.sentences != [Self.withoutManifest] }
    }

    static let withoutManifest = "no --manifest was given"

    func has(_ verdict: Finding.Verdict) -> Bool { findings.contains { $0.verdict == verdict } }
}
