/// The commands of a service and their conditions, in the words of a manifest.
extension TimerTask {
    mutating func conditions(of service: UnitFile) {
        var requires: [(key: String, value: YAMLText)] = [("idle", .word("false"))]
        let needsNetwork = ["After", "Wants", "Requires"].contains { key in
            [timer, service].contains { unit in
                unit.all(key, in: "Unit").contains {
                    $0.value.split(separator: " ").contains("network-online.target")
                }
            }
        }
        if needsNetwork { requires.append(("network", .word("any"))) }
        for unit in [timer, service] {
            guard let line = unit.last("ConditionACPower", in: "Unit") else { continue }
            if unit.isTrue("ConditionACPower", in: "Unit") {
                requires.append(("external_power", .word("true")))
                warn(
                    line, "systemd skips a time without external power, but lull waits for power",
                    fix: "if waiting is fine, do nothing")
            } else {
                warn(
                    line, "no constraint requires battery power",
                    fix: "ask in the command: `on_ac_power || …`")
            }
            break
        }
        if requires.count > 1 { set("requires", .mapping(requires)) }
    }

    mutating func limits(of service: UnitFile) {
        for key in ["TimeoutStartSec", "TimeoutSec", "RuntimeMaxSec"] {
            guard let line = service.last(key, in: "Service"), line.value != "infinity", line.value != "0"
            else { continue }
            guard let seconds = UnitSpan.seconds(line.value) else {
                warn(
                    line, "'\(line.value)' is not a span",
                    fix: "systemd ignores it too: write one such as `15min`")
                continue
            }
            set("time_limit", .word(UnitSpan.text(min(max(seconds, 1), 86_400))))
            break
        }
        if let line = service.last("Nice", in: "Service") {
            if let nice = Int(line.value), (-20...19).contains(nice) {
                set("nice", .word("\(nice)"))
            } else {
                warn(line, "'\(line.value)' is not a niceness", fix: "write a number from -20 to 19")
            }
        }
        if let line = service.last("IOSchedulingClass", in: "Service") {
            if ["idle", "3"].contains(line.value) {
                set("ionice", .word("idle"))
            } else if ["realtime", "1"].contains(line.value) {
                warn(
                    line, "not carried over: IOSchedulingClass=realtime",
                    fix: "begin the command with `ionice -c 1`")
            }
        }
        let limits = UnitLimits(service)
        for fault in limits.faults {
            warn(fault.line, fault.message, fix: "write `limits` of the task by hand")
        }
        if !limits.entries.isEmpty { set("limits", .mapping(limits.entries)) }
        let types = ["oneshot", "simple", "exec", "idle"]
        if let line = service.last("Type", in: "Service"), !types.contains(line.value) {
            warn(
                line,
                "a task ends when its command ends, and so does what a service of Type=\(line.value) leaves running",
                fix: "keep the command in the foreground")
        }
    }

    /// `Restart=on-failure`: a task is run again as often as systemd starts the unit within its limit of starts.
    mutating func attempts(of service: UnitFile) {
        defer { if !retry.isEmpty { set("retry", .mapping(retry)) } }
        guard let line = service.last("Restart", in: "Service"), line.value == "on-failure" else { return }
        // Older units have their limit of starts in [Service].
        func number(_ keys: String..., usual: Int64, _ read: (String) -> Int64?) -> Int64 {
            let lines = ["Unit", "Service"].flatMap { part in keys.compactMap { service.last($0, in: part) } }
            return lines.first.flatMap { read($0.value) } ?? usual
        }
        // systemd's default is a tenth of a second.
        let wait = max(number("RestartSec", usual: 1, UnitSpan.seconds), 1)
        let starts = number("StartLimitBurst", usual: 5) { Int64($0) }
        let within = number("StartLimitIntervalSec", "StartLimitInterval", usual: 10, UnitSpan.seconds)
        let isLimited = (1...100).contains(starts) && within > 0 && wait * starts < within
        if !isLimited {
            warn(
                line, "systemd would restart it without end, but a task is run at most 100 times",
                fix: "write how many `attempts` its `retry` may have")
        }
        let span = YAMLText.word(UnitSpan.text(min(wait, 86_400)))
        retry = [("attempts", .word("\(isLimited ? starts : 100)")), ("first", span), ("max", span)]
    }

    private func unitNames(of service: UnitFile) -> UnitNames {
        UnitNames(
            name: service.name, user: user, home: hasOwnAccount ? nil : machine.home(user),
            host: machine.hostName)
    }

    /// `OnFailure=`: a notice of a failure starts the unit.
    mutating func failureUnits(of service: UnitFile) {
        let lines = service.all("OnFailure", in: "Unit")
        guard let line = lines.first else { return }
        let text = lines.map(\.value).joined(separator: " ")
        guard let command = try? UnitCommand("x " + text, unit: unitNames(of: service)) else {
            return warn(
                line, "not carried over: OnFailure=\(line.value)",
                fix: "write a `notify` with a `command` that does the same")
        }
        let start = ["/usr/bin/systemctl"] + (timer.isOfUser ? ["--user"] : []) + ["start", "--no-block"]
        set(
            "notify",
            .list([
                .mapping([
                    ("command", .list((start + command.words.dropFirst()).map { .text($0) })),
                    ("on", .list([.word("failed")])),
                ])
            ]))
    }

    mutating func settings(of service: UnitFile) throws(ImportNote) -> YAMLText {
        var names = unitNames(of: service)
        let secrets = secrets(of: service, names)
        let (variables, exports) = try environment(of: service, names)
        if secrets != nil { names.credentials = UnitNames.folderOfCredentials }
        // Conditions that systemd tests first; one that does not hold is no failure.
        var questions = [timer, service].flatMap(\.lines).filter { $0.section == "Unit" }.compactMap { line in
            line.key.hasPrefix("Condition") ? UnitCondition(line).shellText : nil
        }
        questions += try commands("ExecCondition", of: service, names).map { $0.shellText + " || exit 0" }
        var commands: [UnitCommand] = []
        for key in ["ExecStartPre", "ExecStart", "ExecStartPost"] {
            commands += try self.commands(key, of: service, names)
        }
        guard !commands.isEmpty else {
            throw ImportNote(
                .error, service.path, line: 1, "its [Service] has no ExecStart=",
                fix: "write the command there, or in the manifest")
        }
        var settings: [(key: String, value: YAMLText)] = []
        if commands.count == 1, questions.isEmpty, exports.isEmpty, !commands[0].hasVariables,
            !commands[0].mayFail
        {
            settings.append(("run", .list(commands[0].words.map { .text($0) })))
        } else {
            let text = commands.map(\.shellText).joined(separator: " && ")
            settings.append(("run", .text((exports + questions + [text]).joined(separator: "; "))))
        }
        if let line = service.last("WorkingDirectory", in: "Service") {
            let path = line.value.hasPrefix("-") ? String(line.value.dropFirst()) : line.value
            settings.append(("cwd", .text(path)))
            if path != line.value {
                warn(
                    line, "without the folder the task fails, but systemd goes on",
                    fix: "make it, or `cd` in the command")
            }
        }
        if !variables.isEmpty { settings.append(("env", .mapping(variables))) }
        if let files = environmentFiles(of: service, names, over: variables) {
            settings.append(("env_file", files))
        }
        if let secrets { settings.append(("secrets", secrets)) }
        if let codes = successCodes(of: service) { settings.append(("success", codes)) }
        return .mapping(settings)
    }

    private mutating func commands(_ key: String, of service: UnitFile, _ names: UnitNames) throws(ImportNote)
        -> [UnitCommand]
    {
        var commands: [UnitCommand] = []
        for line in service.all(key, in: "Service") {
            do throws(UnitCommand.Fault) {
                commands.append(try UnitCommand(line.value, unit: names))
            } catch {
                throw Self.note(error, line)
            }
            if commands.last?.isPrivileged == true, user != "root" {
                warn(
                    line, "`+` and `!` give this command more rights than the task's user has",
                    fix: "make it a task of an app with `user: root`, or call sudo")
            }
            if commands.last?.hasOwnName == true {
                warn(
                    line, "the name of `@` is not carried over",
                    fix: "call it by `exec -a` of bash, if it matters")
            }
        }
        return commands
    }

    /// `exports`: for the shell, if a value names the folder of credentials, which differs in each run.
    private func environment(of service: UnitFile, _ names: UnitNames) throws(ImportNote)
        -> (variables: [(key: String, value: YAMLText)], exports: [String])
    {
        var variables: [(key: String, value: YAMLText)] = []
        var exports: [(key: String, value: String)] = []
        var names = names
        // No variable can contain it.
        let folder = "\0"
        names.credentials = service.all("LoadCredential", in: "Service").isEmpty ? nil : folder
        for line in service.all("Environment", in: "Service") {
            let words: [String]
            do throws(UnitCommand.Fault) {
                // The quotes are those of a command; only the words are used.
                words = try UnitCommand("x " + line.value, unit: names).words
            } catch {
                throw Self.note(error, line)
            }
            for word in words.dropFirst() {
                guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                    throw ImportNote(
                        .error, line.path, line: line.number, "'\(word)' is not NAME=value",
                        fix: "put quotes around all of it: `Environment=\"NAME=some words\"`")
                }
                let name = String(word[..<equals])
                let value = word[word.index(after: equals)...]
                variables.removeAll { $0.key == name }
                exports.removeAll { $0.key == name }
                let parts = value.split(separator: folder, omittingEmptySubsequences: false)
                if parts.count == 1 {
                    variables.append((name, .text(String(value))))
                } else {
                    let quoted = parts.map { $0.isEmpty ? "" : UnitCommand.quoted(String($0)) }
                    exports.append(
                        (
                            name,
                            "export \(name)="
                                + quoted.joined(separator: "\"\(UnitNames.folderOfCredentials)\"")
                        ))
                }
            }
        }
        return (variables, exports.map(\.value))
    }

    private mutating func successCodes(of service: UnitFile) -> YAMLText? {
        let lines = service.all("SuccessExitStatus", in: "Service")
        let words = lines.flatMap { $0.value.split(separator: " ") }
        if let line = lines.first, case let names = words.filter({ Self.exitCode($0) == nil }), !names.isEmpty
        {
            warn(
                line, "`success` lists numbers, but \(names.joined(separator: ", ")) is not one",
                fix: "write the number of the exit code; a signal is always a failure")
        }
        let codes = words.compactMap(Self.exitCode).filter { (1...255).contains($0) }
        return codes.isEmpty ? nil : .list(([0] + codes).map { .word("\($0)") })
    }

    /// Each list counts on from its number.
    private static let exitNames: [(first: Int, names: [Substring])] = [
        (0, ["SUCCESS", "FAILURE", "INVALIDARGUMENT", "NOTIMPLEMENTED", "NOPERMISSION", "NOTINSTALLED"]),
        (6, ["NOTCONFIGURED", "NOTRUNNING"]),
        (64, ["USAGE", "DATAERR", "NOINPUT", "NOUSER", "NOHOST", "UNAVAILABLE", "SOFTWARE", "OSERR"]),
        (72, ["OSFILE", "CANTCREAT", "IOERR", "TEMPFAIL", "PROTOCOL", "NOPERM", "CONFIG"]),
        (255, ["EXCEPTION"]),
    ]

    /// The code of a number, or of a name in systemd.exec(5) that a command can exit with.
    private static func exitCode(_ word: Substring) -> Int? {
        if let number = Int(word) { return number }
        return exitNames.lazy.compactMap { list in list.names.firstIndex(of: word).map { list.first + $0 } }
            .first
    }

    private static func note(_ fault: UnitCommand.Fault, _ line: UnitFile.Line) -> ImportNote {
        switch fault {
        case .empty:
            ImportNote(
                .error, line.path, line: line.number, "\(line.key)= names no program",
                fix: "write its path there")
        case .openQuote:
            ImportNote(
                .error, line.path, line: line.number, "a quote is opened but not closed",
                fix: "close it, or write `\\\"`")
        case .specifier(let text):
            ImportNote(
                .error, line.path, line: line.number,
                "the files do not say what '\(text)' stands for",
                fix: "write out what it stands for; a per cent sign itself is `%%`")
        }
    }
}
