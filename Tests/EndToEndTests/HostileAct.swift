/// A forbidden act of a plugin, and the history's words for it.
struct HostileAct: Sendable {
    let name: String
    /// The last label of its task, which tells the plugin what to do.
    let task: String
    let plugin: String
    /// Macros that the plugin is compiled with.
    var defines: [String] = []
    /// More keys of the app.
    var keys = ""
    /// Only the app's limits prevent it.
    var needsConfinement = false
    /// Texts that lines of the app's history have to contain.
    let says: [String]

    var app: String { "com.example.\(name)" }

    private static func launched(
        _ task: String, keys: String = "", needsConfinement: Bool = false, _ says: String...
    ) -> Self {
        let name = task.split(separator: "_").map(\.capitalized).joined()
        return HostileAct(
            name: name, task: task, plugin: "Hostile", keys: keys, needsConfinement: needsConfinement,
            says: says)
    }

    /// For acts that end only when their time is up.
    private static let short = "time_limit: 20s"
    /// For acts that do not end even then.
    private static let deaf = short + "\n    grace: 8s"
    private static let succeeded = "completed succeeded"

    /// Acts of a handler, or of a process or thread that it has started.
    static let ofHandlers: [HostileAct] = [
        launched("crash", "ended by signal 11 (SIGSEGV)"),
        launched("abort", "ended by signal 6 (SIGABRT)"),
        launched("exit", "exited on its own with status 3"),
        launched("loop", "it did not return from launch within 5 s"),
        launched("hang", "it did not return from launch within 5 s"),
        launched("thread", "ended by signal 11 (SIGSEGV)"),
        launched("never", keys: short, "failed expired", "Expired, but no expiration handler is set"),
        launched("late", keys: short, "failed expired", "violation It completed a run that has ended."),
        launched("handler_crash", keys: short, "ended by signal 11 (SIGSEGV)"),
        launched("handler_loop", keys: deaf, "it did not complete within 8 s of its expiration"),
        launched("ignore", keys: deaf, "it did not complete within 8 s of its expiration"),
        launched("sigterm", keys: deaf, "it did not complete within 8 s of its expiration"),
        launched("twice", succeeded, "violation It completed a run that has ended."),
        launched("other", succeeded, "violation It completed task 1, which was never launched."),
        launched(
            "violations",
            "which was never launched. Use the number that launch was given. (no more of these are",
            "it did not return from launch within 5 s"),
        launched("children", succeeded),
        launched("daemon", succeeded),
        launched("flood", succeeded),
        launched(
            "memory", keys: "limits: { memory: 64MiB }",
            " of memory, but may use 64 MiB (`limits: { memory }`)"),
        launched("descriptors", keys: "limits: { descriptors: 256 }", "open: Too many open files", succeeded),
        launched("close", "violation killed It closed its socket to the host."),
        launched("garbage", "violation killed It wrote a frame of the unknown type 104 to its socket"),
        launched("forged", "violation killed It completed run 1, which is not one of its open runs."),
        launched("kill", needsConfinement: true, "kill: Operation not permitted", succeeded),
        launched("supervisor", needsConfinement: true, "kill: Operation not permitted", succeeded),
        launched("signals", succeeded),
        launched("chdir", succeeded),
        launched("rlimit", succeeded),
        launched("locale", succeeded),
        // If nothing prevents it, the count of its processes may come before its end.
        launched("threads", succeeded + "|processes, but may have"),
        launched("submit", "replaced", succeeded),
    ]

    /// Acts before the first launch, or after the last.
    static let ofPhases: [HostileAct] = [
        HostileAct(
            name: "Constructor", task: "chdir", plugin: "Constructor", defines: ["IN_CONSTRUCTOR=act_crash"],
            says: [
                "failed crashed its worker ended before the plugin was ready: ended by signal 11 (SIGSEGV)"
            ]),
        HostileAct(
            name: "ExitConstructor", task: "chdir", plugin: "ExitConstructor",
            defines: ["IN_CONSTRUCTOR=act_exit"], says: ["exited on its own with status 3 while it started"]),
        HostileAct(
            name: "HangConstructor", task: "chdir", plugin: "HangConstructor",
            defines: ["IN_CONSTRUCTOR=act_hang"], says: ["its plugin was not ready within 30 s"]),
        HostileAct(
            name: "Entry", task: "chdir", plugin: "BadEntry",
            says: ["ended by signal 11 (SIGSEGV) while it started"]),
        HostileAct(
            name: "Start", task: "chdir", plugin: "Start", defines: ["IN_START=act_crash"],
            says: ["ended by signal 11 (SIGSEGV) while it started"]),
        HostileAct(
            name: "StartLoop", task: "chdir", plugin: "StartLoop", defines: ["IN_START=act_loop"],
            says: ["its plugin was not ready within 30 s"]),
        HostileAct(
            name: "Destructor", task: "exit", plugin: "Destructor", defines: ["IN_DESTRUCTOR=act_abort"],
            says: ["ended by signal 6 (SIGABRT)"]),
        HostileAct(
            name: "AtExit", task: "exit", plugin: "AtExit", defines: ["IN_ATEXIT=act_abort"],
            says: ["ended by signal 6 (SIGABRT)"]),
        HostileAct(
            name: "Registers", task: "chdir", plugin: "Registers",
            defines: ["REGISTERS=\"com.example.Neighbour.work\""], says: [succeeded]),
    ]
}
