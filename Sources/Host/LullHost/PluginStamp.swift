public import LullModel
import LullWorkers

/// A stamp that shows whether a worker is out of date and an app has to be discovered anew: it changes with the files
/// of the plugin and with what a worker is started with.
public enum PluginStamp {
    public static func of(_ app: App) -> String { of(app, PluginFiles(of: app)) }

    /// Nil where the plugin is absent: it may be on its way, and a worker that has loaded it keeps it.
    static func ofPresent(_ app: App, _ files: PluginFiles) -> String? {
        files.identities.isEmpty ? nil : of(app, files)
    }

    /// The stamps of many apps, which may share their plugins' files.
    static func all(of apps: [App]) -> [AppIdentifier: String] {
        var known: [String: PluginFiles] = [:]
        var stamps: [AppIdentifier: String] = [:]
        for app in apps {
            let files = PluginFiles(of: app, known: known[app.plugin])
            known[app.plugin] = files
            stamps[app.identifier] = of(app, files)
        }
        return stamps
    }

    private static func of(_ app: App, _ files: PluginFiles) -> String {
        let file =
            files.identities[app.plugin].map { "\($0.device).\($0.inode).\($0.bytes).\($0.modified)" }
            ?? "absent"
        return file + "-" + String(hash(app, files), radix: 16)
    }

    /// FNV-1a over the libraries beside the plugin, and all that `WorkerSpec` takes of the entry. What a task has beside that, its times and
    /// limits, goes with each launch, and needs no other worker.
    private static func hash(_ app: App, _ files: PluginFiles) -> UInt64 {
        var text = app.plugin + "\n" + app.settings.text + (app.sha256.map { "\n" + $0 } ?? "")
        text += "\n\(app.user ?? "") \(app.limits) \(app.tasks.map(\.nice).min() ?? 0)"
        if app.notifications { text += "\nnotifications" }
        for task in app.tasks {
            text +=
                "\n\(task.identifier) \(task.kind.rawValue) \(task.requires.externalPower) \(task.settings.text)"
            if task.nice != 0 || task.ionice != .normal { text += " \(task.nice) \(task.ionice)" }
            if let limits = task.limits { text += " \(limits)" }
        }
        for (path, file) in files.identities.sorted(by: { $0.key < $1.key }) where path != app.plugin {
            text += "\n\(path) \(file.device).\(file.inode).\(file.bytes).\(file.modified)"
        }
        for (path, place) in files.places.sorted(by: { $0.key < $1.key }) { text += "\n\(path) \(place)" }
        return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
