import CLullEntry
import Foundation

/// The app's own facts: its identifier, folder, settings, permitted tasks and log. Lull's own: Apple has no such API.
public enum LullApp {
    /// The app's identifier in `jobs.yaml`; empty in a process that is no worker.
    public static var identifier: String { host?.app ?? "" }

    /// The absolute path of a folder of the app's own; it exists and is writable.
    ///
    /// In a process that is no worker, such as a test, it is the current folder.
    public static var stateDirectory: String {
        host?.stateDirectory ?? FileManager.default.currentDirectoryPath
    }

    /// The app's settings from `jobs.yaml`, as JSON; `{}` when it has none.
    public static var settingsJSON: String { host?.settings ?? "{}" }

    /// The identifiers that `jobs.yaml` permits to the app, in its order; none in a process that is no worker.
    ///
    /// For an app whose tasks the author of the manifest chooses, such as one that runs command lines.
    public static var permittedTasks: [String] { permittedTasks(in: settingsJSON) }

    /// The app's settings, decoded; `snake_case` keys fit `camelCase` properties.
    public static func settings<T: Decodable>(as type: T.Type) throws -> T {
        try LullSettingsError.decode(type, from: settingsJSON, of: "app \(identifier)")
    }

    /// Declares a schema of the app's settings in `jobs.yaml`, for `lull check`, editors and `lull plugin check`.
    ///
    /// The text is a JSON document whose keywords are in the plugin manual. It has to be a literal that begins with
    /// `{ "lull_settings": 1`. The host reads it from the plugin's file without running the plugin: when this function is
    /// called, or whether, does not matter.
    @inline(never)
    public static func declareSettings(_ schema: StaticString) {
        // Keeps the optimizer from removing the literal, which nothing else uses.
        schema.withUTF8Buffer { lull_entry_note_settings($0.baseAddress) }
    }

    /// Writes a line to the log, under the app's name.
    public static func log(_ message: String, level: LullLogLevel = .info) {
        BGTaskScheduler.shared.registry.log(message, level: level)
    }

    /// The worker adds them to the settings under `lull`, a key that a manifest can't use.
    static func permittedTasks(in settings: String) -> [String] {
        struct Settings: Decodable {
            struct Lull: Decodable {
                var permitted: [String]
            }
            var lull: Lull
        }
        return (try? JSONDecoder().decode(Settings.self, from: Data(settings.utf8)))?.lull.permitted ?? []
    }

    private static var host: HostTable? { BGTaskScheduler.shared.registry.host }
}
