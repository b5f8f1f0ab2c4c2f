/// Timers of systemd with their services → a manifest that runs their commands with the plugin `Command`.
///
/// An app for each user, a task for each timer. What can't be carried over is said with its place and a remedy.
public struct TimersImport {
    private let units: [UnitFile]
    private let machine: ImportMachine

    /// `units`: timers and services, in the order in which systemd would look; of two with one name the first counts.
    public init(_ units: [UnitFile], on machine: ImportMachine) {
        self.units = units
        self.machine = machine
    }

    public func manifest() -> ImportedManifest {
        var seen: Set<String> = []
        var notes: [ImportNote] = []
        var users: [(name: String?, app: ImportedApp)] = []
        var identifiers = TaskNames()
        var names: [String: TaskNames] = [:]
        for timer in units where timer.name.hasSuffix(".timer") && seen.insert(timer.name).inserted {
            var draft = TimerTask(timer, service: service(of: timer), isZone: machine.isZone)
            let user = draft.user
            let index: Int
            if let known = users.firstIndex(where: { $0.name == user }) {
                index = known
            } else {
                let slug = TaskNames.slug(user ?? "")
                let identifier = "timers." + identifiers.unique([slug.isEmpty ? "jobs" : slug])
                users.append((user, Self.app(identifier, user: user)))
                index = users.count - 1
            }
            let entry = draft.entry(names: &names[user ?? "", default: TaskNames()])
            users[index].app.entries.append(entry)
            notes += draft.notes
        }
        let head = [
            "Made by `lull import timers`.",
            "Look through it, try it with `lull check`, and stop the timers before `lull run`:",
            "`systemctl disable --now NAME.timer`; else both run them. What differs: docs/from-cron.md.",
        ]
        return ImportedManifest(
            head: head, defaults: ImportedDefaults.common, apps: users.map(\.app), notes: notes)
    }

    private func service(of timer: UnitFile) -> UnitFile? {
        let name = timer.last("Unit", in: "Timer")?.value ?? timer.stem + ".service"
        if let unit = units.first(where: { $0.name == name }) { return unit }
        // `backup@home.service` is an instance of `backup@.service`.
        guard let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: ".") else { return nil }
        var unit = units.first { $0.name == name[...at] + name[dot...] }
        unit?.name = name
        return unit
    }

    private static func app(_ identifier: String, user: String?) -> ImportedApp {
        var app = ImportedApp(identifier: identifier)
        app.keys = [("plugin", .word("Command"))]
        app.keys.append(
            ("description", .text("What systemd's timers ran" + (user.map { " as \($0)" } ?? ""))))
        if let user { app.keys.append(("user", .text(user))) }
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        app.keys.append(
            (
                "settings",
                .mapping([
                    ("cwd", .text(user == nil ? "~" : "/")), ("env", .mapping([("PATH", .text(path))])),
                ])
            ))
        return app
    }
}
