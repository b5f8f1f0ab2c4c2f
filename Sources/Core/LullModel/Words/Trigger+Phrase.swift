extension Trigger {
    /// The text after "waits for".
    package var phrase: String {
        switch self {
        case .path(let path):
            if let names = path.names { return "a file \(names) in \(path.path)" }
            return path.isFolder ? "a file in \(path.path)" : "a file at \(path.path)"
        case .after, .afterAll: return Phrase.list(links.map(\.phrase))
        case .device(let pattern):
            let name = pattern.name.map { " \($0)" } ?? ""
            return "a device\(name)" + (pattern.subsystem.map { " of the subsystem \($0)" } ?? "")
        case .login(nil): return "a login"
        case .login(let user?): return "a login of \(user)"
        case .resume: return "the machine to wake from sleep"
        case .network: return "the network to come up"
        case .externalPower: return "external power"
        case .boot: return "the next boot"
        }
    }
}

extension TriggerEvent {
    /// The events, for a sentence: "a file came: /srv/in/a.csv", "2 files came, the first /srv/in/a.csv".
    package var phrase: String {
        let what =
            kinds.count == 1 && kinds[0] == .path
            ? "\(Phrase.count(count, "file")) came" : Phrase.list(kinds.map(clause))
        var text = what
        if kinds.contains(.path), let path = paths.first {
            text += (count == 1 ? ": " : ", the first ") + path.terminalSafe
        }
        if count > 1, kinds != [.path] { text += ", \(count) events in all" }
        if isIncomplete { text += "; the kernel could not report all of them" }
        if wasMissed { text += "; found when the host came back" }
        return text
    }

    private func clause(_ kind: Trigger.Kind) -> String {
        switch kind {
        case .path: "a file came"
        case .after:
            "\(task?.text ?? "a task") ended (\(outcome?.rawValue ?? "unknown")"
                + (run.map { ", run \($0))" } ?? ")")
        case .device: "a device came" + (device.map { ": " + $0.terminalSafe } ?? "")
        case .login: (user.map { $0.terminalSafe } ?? "somebody") + " logged in"
        case .resume: "the machine woke"
        case .network: "the network came up"
        case .externalPower: "external power came on"
        case .boot: "the host was booted"
        }
    }
}
