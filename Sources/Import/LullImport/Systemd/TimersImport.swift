/// Timers of systemd with their services → a manifest that runs their commands with the plugin `Command`.
///
/// An app for each user, a task for each timer that systemd starts. A timer that it does not start, and a key that
/// can't be carried over, gets a note with its place and a remedy.
public struct TimersImport {
    private let timers: [UnitFile]
    private let find: (String) -> UnitFile?
    private let starts: TimerStarts?
    private let takesAll: Bool
    private let machine: ImportMachine

    /// `find`: a unit by its name, with its drop-ins; an instance of a template, too. `starts`: nil where all of them start.
    public init(
        _ timers: [UnitFile], find: @escaping (String) -> UnitFile?, starts: TimerStarts?,
        takesAll: Bool = false,
        on machine: ImportMachine
    ) {
        self.timers = timers
        self.find = find
        self.starts = starts
        self.takesAll = takesAll
        self.machine = machine
    }

    /// `units`: timers and services, in the order in which systemd would look; of two with one name the first counts.
    public init(_ units: [UnitFile], on machine: ImportMachine) {
        self.init(
            units.filter { $0.name.hasSuffix(".timer") }, find: { UnitFile.named($0, among: units) },
            starts: nil,
            on: machine)
    }

    public func manifest() -> ImportedManifest {
        var seen: Set<String> = []
        var notes: [ImportNote] = []
        var passedOver: [String] = []
        var users: [(name: String?, isOwn: Bool, app: ImportedApp)] = []
        var identifiers = TaskNames()
        var names: [String: TaskNames] = [:]
        for timer in timers where seen.insert(timer.name).inserted {
            if let refusal = starts?.refusal(of: timer) {
                notes.append(note(timer, refusal))
                passedOver.append("  \(timer.name): \(refusal.message)")
                if !takesAll { continue }
            }
            let service = find(timer.last("Unit", in: "Timer")?.value ?? timer.stem + ".service")
            var draft = TimerTask(timer, service: service, on: machine)
            let zones = draft.furtherZones
            let user = draft.user
            let isOwn = draft.hasOwnAccount
            let index: Int
            if !isOwn, let known = users.firstIndex(where: { $0.name == user && !$0.isOwn }) {
                index = known
            } else {
                let slug = TaskNames.slug(isOwn ? timer.stem : user ?? "")
                let identifier = "timers." + identifiers.unique([slug.isEmpty ? "jobs" : slug])
                users.append((user, isOwn, Self.app(identifier, user: user, of: timer, isOwn: isOwn)))
                index = users.count - 1
            }
            let identifier = users[index].app.identifier
            users[index].app.entries.append(draft.entry(names: &names[identifier, default: TaskNames()]))
            var said = draft.notes
            for zone in zones where draft.notes.allSatisfy({ $0.severity != .error }) {
                var more = TimerTask(timer, service: service, on: machine, zone: .some(zone))
                users[index].app.entries.append(more.entry(names: &names[identifier, default: TaskNames()]))
                more.forget(said)
                said += more.notes
            }
            notes += said
        }
        var head = [
            "Made by `lull import timers`.",
            "Look through it, try it with `lull check`, and stop the timers before `lull run`:",
            "`systemctl disable --now NAME.timer`; otherwise both run them. What differs: `lull help import`.",
        ]
        head += ImportedManifest.ofNames
        if !passedOver.isEmpty {
            head += [
                "",
                takesAll
                    ? "Imported with `--all`, though systemd does not start them:"
                    : "Left out, as systemd does not start them:",
            ]
            head += passedOver
        }
        return ImportedManifest(
            head: head, defaults: ImportedDefaults.common, apps: users.map(\.app), notes: notes)
    }

    private func note(_ timer: UnitFile, _ refusal: (line: UnitFile.Line?, message: String)) -> ImportNote {
        ImportNote(
            takesAll ? .warning : .note, refusal.line?.path ?? timer.path, line: refusal.line?.number ?? 1,
            "systemd does not start \(timer.name): \(refusal.message)",
            fix: takesAll ? "to leave it out, import without `--all`" : "import it anyway with `--all`")
    }

    /// `isOwn`: it has one task, with an account that systemd makes up.
    private static func app(
        _ identifier: String, user: String?, of timer: UnitFile, isOwn: Bool
    ) -> ImportedApp {
        var app = ImportedApp(identifier: identifier)
        app.keys = [("plugin", .word("Command"))]
        app.keys.append(
            ("description", .text("What systemd's timers ran" + (user.map { " as \($0)" } ?? ""))))
        if let user { app.keys.append(("user", .text(user))) }
        if isOwn { app.keys.append(("limits", .mapping([("privileges", .word("drop"))]))) }
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        app.keys.append(
            (
                "settings",
                .mapping([
                    ("cwd", .text(timer.isOfUser ? "~" : "/")), ("env", .mapping([("PATH", .text(path))])),
                ])
            ))
        return app
    }
}
