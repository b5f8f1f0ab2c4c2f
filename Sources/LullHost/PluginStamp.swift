import Glibc
public import LullModel

/// Says whether an app must be discovered anew: it changes when its plugin's file or its manifest entry does.
public enum PluginStamp {
    public static func of(_ app: App) -> String {
        var status = stat()
        let file =
            stat(app.plugin, &status) == 0
            ? "\(status.st_dev).\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            : "absent"
        return file + "-" + String(entryHash(app), radix: 16)
    }

    /// FNV-1a over what the plugin can see of its entry, and what decides whether it is loaded.
    private static func entryHash(_ app: App) -> UInt64 {
        var text = app.plugin + "\n" + app.settings.text + (app.sha256.map { "\n" + $0 } ?? "")
        for task in app.tasks {
            text += "\n\(task.identifier) \(task.kind.rawValue) \(task.settings.text)"
        }
        return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
