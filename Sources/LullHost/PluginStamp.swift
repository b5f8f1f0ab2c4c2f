import Glibc
public import LullModel

/// By what a worker is known to be out of date, and an app to be discovered anew: it changes when the plugin's file does, or
/// what a worker is started with.
public enum PluginStamp {
    public static func of(_ app: App) -> String {
        var status = stat()
        let file =
            stat(app.plugin, &status) == 0
            ? "\(status.st_dev).\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            : "absent"
        return file + "-" + String(entryHash(app), radix: 16)
    }

    /// FNV-1a over all that `WorkerSpec` takes of the entry. What a task has beside that, its times and limits, goes with
    /// each launch, and needs no other worker.
    private static func entryHash(_ app: App) -> UInt64 {
        var text = app.plugin + "\n" + app.settings.text + (app.sha256.map { "\n" + $0 } ?? "")
        text += "\n\(app.user ?? "") \(app.limits) \(app.tasks.map(\.nice).min() ?? 0)"
        if app.notifications { text += "\nnotifications" }
        for task in app.tasks {
            text +=
                "\n\(task.identifier) \(task.kind.rawValue) \(task.requires.externalPower) \(task.settings.text)"
        }
        return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
