/// A timer on its way to a task of the manifest.
struct TimerTask {
    let timer: UnitFile
    let service: UnitFile?
    let machine: ImportMachine
    private(set) var notes: [ImportNote] = []
    private var keys: [(key: String, value: YAMLText)] = []
    var retry: [(key: String, value: YAMLText)] = []
    /// The zone whose times this task has, of a timer with times in several; the outer nil: all times.
    var zone: String??

    init(_ timer: UnitFile, service: UnitFile?, on machine: ImportMachine, zone: String?? = nil) {
        self.machine = machine
        self.timer = timer
        self.service = service
        self.zone = zone
    }

    /// The user of its service; nil: the user who runs the host, or an account of its own.
    var user: String? {
        if timer.isOfUser || hasOwnAccount { return nil }
        return service?.last("User", in: "Service")?.value ?? "root"
    }

    /// Whether systemd makes up an account for it, as Lull does for an app without `user`.
    var hasOwnAccount: Bool {
        guard !timer.isOfUser, let service, service.isTrue("DynamicUser", in: "Service") else { return false }
        return service.last("User", in: "Service").map { !machine.isUser($0.value) } ?? true
    }

    /// The task, or why there is none.
    mutating func entry(names: inout TaskNames) -> ImportedEntry {
        var task = ImportedTask(origin: timer.path, name: "")
        do throws(ImportNote) {
            guard let service else {
                let line = timer.last("Unit", in: "Timer")
                let name = line?.value ?? timer.stem + ".service"
                guard name.hasSuffix(".service") else {
                    throw ImportNote(
                        .error, timer.path, line: line?.number ?? 1,
                        "it starts \(name), which is not a service",
                        fix: "write what that starts as a task by hand")
                }
                throw ImportNote(
                    .error, timer.path, line: 1, "its unit \(name) is not in the folders",
                    fix: "name the folder that has it as well: `lull import timers DIR OTHER-DIR`")
            }
            guard !timer.stem.hasSuffix("@") else {
                throw ImportNote(
                    .error, timer.path, line: 1, "it is a template, and runs only as an instance",
                    fix: "copy it to a file that names the instance, such as \(timer.stem)NAME.timer")
            }
            if let user, !ImportMachine.isName(user) {
                let line = service.last("User", in: "Service")
                throw ImportNote(
                    .error, line?.path ?? service.path, line: line?.number ?? 1,
                    "'\(user.prefix(60))' is not a user's name",
                    fix: "write a user's name from `getent passwd`")
            }
            if let user, !machine.isUser(user) {
                let line = service.last("User", in: "Service")
                notes.append(
                    ImportNote(
                        .warning, line?.path ?? service.path, line: line?.number ?? 1,
                        "there is no account '\(user)' here, and `lull check` refuses it",
                        fix: "make it with `useradd --system \(user)`, or take the task out"))
            }
            try times()
            conditions(of: service)
            limits(of: service)
            attempts(of: service)
            failureUnits(of: service)
            keys.append(("settings", try settings(of: service)))
            unused(of: service)
        } catch {
            notes.append(error)
        }
        let comments = notes.map {
            $0.severity == .error ? $0.comment : "\($0.path):\($0.line): \($0.comment)"
        }
        if let fault = notes.first(where: { $0.severity == .error }) {
            return .comments(["\(fault.path):\(fault.line): \(timer.name)"] + comments)
        }
        task.comments = comments
        let stem = TaskNames.slug(timer.stem)
        let name = stem.isEmpty ? "timer" : stem
        let zoned = (zone ?? nil).map { name + "_" + TaskNames.slug($0) }
        task.name = names.unique([name] + [zoned].compactMap(\.self))
        task.keys = [("kind", .word("processing"))]
        if let text = service?.last("Description", in: "Unit") ?? timer.last("Description", in: "Unit") {
            task.keys.append(("description", .text(text.value)))
        }
        task.keys += keys
        return .task(task)
    }

    /// Drops the warnings that another task of the same timer has already.
    mutating func forget(_ said: [ImportNote]) {
        notes.removeAll { $0.severity == .warning && said.contains($0) }
    }

    mutating func set(_ key: String, _ value: YAMLText) { keys.append((key, value)) }

    mutating func warn(_ line: UnitFile.Line, _ message: String, fix: String) {
        notes.append(ImportNote(.warning, line.path, line: line.number, message, fix: fix))
    }

    /// Warns of keys in the files that have no counterpart in a manifest.
    private mutating func unused(of service: UnitFile) {
        for unit in [timer, service] {
            for (path, line) in unit.broken {
                notes.append(
                    ImportNote(
                        .warning, path, line: line, "this line is not `key=value`",
                        fix: "systemd ignores it too: correct it, or take it out"))
            }
            var left: [UnitFile.Line] = []
            for line in unit.lines where !Self.isKnown(line) && !line.value.isEmpty {
                if !left.contains(where: { $0.key == line.key }) { left.append(line) }
            }
            if let first = left.first {
                warn(
                    first,
                    "not carried over: " + left.map { "\($0.key)=\($0.value)" }.joined(separator: ", "),
                    fix:
                        "some of this can be written as `requires` or `limits`; the rest belongs in the command"
                )
            }
        }
    }

    private static func isKnown(_ line: UnitFile.Line) -> Bool {
        switch line.key {
        case "StandardOutput", "StandardError": !line.value.contains(":") && !line.value.hasPrefix("tty")
        case "KillMode": line.value == "control-group" || line.value == "mixed"
        case "Restart": line.value == "no" || line.value == "on-failure"
        // Each service has it by default.
        case "Conflicts": line.value == "shutdown.target"
        case _ where line.key.hasPrefix("Condition"):
            line.section == "Unit" && UnitCondition(line).shellText != nil || known.contains(line.key)
        default: known.contains(line.key)
        }
    }

    /// Keys that are read elsewhere, or mean nothing for a task.
    private static let known: Set<String> = [
        "Description", "Documentation", "After", "Wants", "Before", "DefaultDependencies", "WantedBy", "Also",
        "Alias",
        "RequiredBy", "OnCalendar", "OnBootSec", "OnStartupSec", "OnActiveSec", "OnUnitActiveSec",
        "OnUnitInactiveSec",
        "Persistent", "RandomizedDelaySec", "FixedRandomDelay", "AccuracySec", "Unit", "RemainAfterElapse",
        "ConditionACPower", "Type", "ExecStart", "ExecStartPre", "ExecStartPost", "User", "WorkingDirectory",
        "Environment", "Nice", "IOSchedulingClass", "TimeoutStartSec", "TimeoutSec", "RuntimeMaxSec",
        "SuccessExitStatus",
        "SyslogIdentifier", "EnvironmentFile", "ExecCondition", "WakeSystem", "DynamicUser",
        "MemoryMax", "MemoryLimit", "CPUQuota", "TasksMax", "OnFailure", "OnFailureJobMode",
        "MemoryAccounting",
        "RestartSec", "StartLimitBurst", "StartLimitIntervalSec", "StartLimitInterval", "CPUAccounting",
        "TasksAccounting", "LoadCredential", "LoadCredentialEncrypted", "SetCredential",
        "SetCredentialEncrypted",
    ]
}
