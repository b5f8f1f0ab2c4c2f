import CLullEntry
import Foundation

/// What the host tells an app about itself. Lull's own: Apple has no name for these.
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
    /// For an app whose tasks are made up by who writes the manifest, such as one that runs command lines.
    public static var permittedTasks: [String] { permittedTasks(in: settingsJSON) }

    /// The app's settings, decoded; `snake_case` keys fit `camelCase` properties.
    public static func settings<T: Decodable>(as type: T.Type) throws -> T {
        try LullSettingsError.decode(type, from: settingsJSON, of: "app \(identifier)")
    }

    /// Declares what the app's settings in `jobs.yaml` may be, for `lull check`, editors and `lull plugin check`.
    ///
    /// The text is a JSON document, of which the manual of plugins tells the keywords; it has to be a literal, and begins
    /// with `{ "lull_settings": 1`. It is read from the plugin's file, so that nothing of the plugin has to run: when it is
    /// called, and whether, is of no matter.
    @inline(never)
    public static func declareSettings(_ schema: StaticString) {
        // The optimizer must not find out that nobody looks at it.
        schema.withUTF8Buffer { lull_entry_note_settings($0.baseAddress) }
    }

    /// Writes a line to the log, under the app's name.
    public static func log(_ message: String, level: LullLogLevel = .info) {
        BGTaskScheduler.shared.registry.log(message, level: level)
    }

    /// The worker tells them under `lull`, a key that a manifest can't use for itself.
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
