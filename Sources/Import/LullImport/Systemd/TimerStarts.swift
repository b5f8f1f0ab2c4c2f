/// The causes for which systemd starts a machine's timers: links in folders such as `timers.target.wants`, and units
/// that want them.
///
/// A preset or an `[Install]` enables nothing by itself: only the link that it asks for does.
public struct TimerStarts: Sendable {
    /// By a unit's name, the units that want it, such as `timers.target`.
    public var wanted: [String: Set<String>] = [:]
    /// Links to /dev/null, and empty files.
    public var masked: Set<String> = []
    /// Made by `systemd-run`, and gone at the next boot.
    public var transient: Set<String> = []
    /// Whether a condition on a path holds on that machine, by its name without `Condition`; nil: it can't be told.
    public var holds: @Sendable (_ condition: String, _ path: String) -> Bool? = { _, _ in nil }

    public init() {}

    /// Targets of a machine that shuts down, or that does not boot in its ordinary way.
    private static let odd: Set<String> = [
        "rescue.target", "emergency.target", "shutdown.target", "reboot.target", "poweroff.target",
        "halt.target",
        "exit.target", "kexec.target", "soft-reboot.target", "suspend.target", "hibernate.target",
        "sleep.target",
        "hybrid-sleep.target", "system-update.target", "initrd.target", "runlevel0.target",
        "runlevel1.target",
        "runlevel6.target",
    ]

    /// Why systemd does not start the timer; nil: it does.
    func refusal(of timer: UnitFile) -> (line: UnitFile.Line?, message: String)? {
        if masked.contains(timer.name) { return (nil, "it is masked") }
        if transient.contains(timer.name) { return (nil, "it is transient, so it is gone at the next boot") }
        let wanting = wanted[timer.name] ?? []
        if wanting.isEmpty { return (nil, "it is not enabled, and no unit wants it") }
        if wanting.isSubset(of: Self.odd) {
            return (
                nil,
                "only \(wanting.sorted().joined(separator: ", ")) wants it, which no ordinary boot reaches"
            )
        }
        for line in timer.lines where line.section == "Unit" && line.key.hasPrefix("Condition") {
            let condition = UnitCondition(line)
            guard let held = condition.holds(holds), !held else { continue }
            return (line, "its \(line.key)=\(line.value) does not hold here")
        }
        return nil
    }
}

/// `ConditionPathExists=!/etc/x`: a test of a path, or something that only systemd can tell.
struct UnitCondition {
    let name: String
    let path: String
    let isNegated: Bool
    /// Whether it is one of several conditions of which one has to hold.
    let isTrigger: Bool

    init(_ line: UnitFile.Line) {
        name = String(line.key.dropFirst("Condition".count))
        var rest = line.value[...]
        isTrigger = rest.first == "|"
        if isTrigger { rest = rest.dropFirst() }
        isNegated = rest.first == "!"
        if isNegated { rest = rest.dropFirst() }
        path = String(rest)
    }

    /// The letter of test(1) for the same test.
    private static let letters = [
        "PathExists": "e", "PathIsDirectory": "d", "PathIsSymbolicLink": "L", "PathIsReadWrite": "w",
        "FileNotEmpty": "s", "FileIsExecutable": "x",
    ]

    /// The test for a shell; a condition that does not hold is no failure.
    var shellText: String? {
        guard let letter = Self.letters[name], !isTrigger, path.hasPrefix("/"), !path.contains("%") else {
            return nil
        }
        return "[ \(isNegated ? "! " : "")-\(letter) \(UnitCommand.quoted(path)) ] || exit 0"
    }

    func holds(_ test: (String, String) -> Bool?) -> Bool? {
        guard !isTrigger, path.hasPrefix("/"), !path.contains("%") else { return nil }
        return test(name, path).map { $0 != isNegated }
    }
}
