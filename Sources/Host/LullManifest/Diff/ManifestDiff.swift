public import LullModel

/// The changes from one manifest to another: apps and tasks that are added, removed or changed, key by key.
///
/// The values in effect are compared, whether they are written in the task, inherited or defaults: two texts that mean
/// the same have no difference. Settings are compared at their first level.
public struct ManifestDiff: Sendable, Equatable {
    public enum Fate: String, Sendable, Codable { case added, removed, changed, same }

    /// One key with its old and its new value, as the manifest writes them; nil if not given.
    public struct Key: Sendable, Equatable {
        public var name: String
        public var before: String?
        public var after: String?
        /// The place of the new value; nil if it is not written, such as a default.
        public var file: String?
        public var line: Int?
        /// For a setting: its description by the plugin; nil if there is none.
        public var meaning: String?
        /// For a setting that names the task's command: that command, as far as it is known.
        public var command: Command?
    }

    /// A command line that changes; nil if it is not known or not given.
    public struct Command: Sendable, Equatable {
        public var before: String?
        public var after: String?
    }

    public struct Task: Sendable, Equatable {
        public var identifier: TaskIdentifier
        public var fate: Fate
        /// As the new manifest has it, or the old one if the task is removed.
        public var definition: TaskDefinition
        public var keys: [Key] = []
    }

    public struct App: Sendable, Equatable {
        public var identifier: AppIdentifier
        public var fate: Fate
        public var definition: LullModel.App
        public var keys: [Key] = []
        /// Without unchanged tasks.
        public var tasks: [Task] = []

        /// Whether a setting differs.
        public var hasSettings: Bool {
            (keys + tasks.flatMap(\.keys)).contains { $0.name.hasPrefix("settings.") }
        }
    }

    /// The keys that concern the host as a whole.
    public private(set) var host: [Key]
    /// Without unchanged apps; in the new manifest's order, then the removed ones.
    public private(set) var apps: [App] = []

    public var isEmpty: Bool { host.isEmpty && apps.isEmpty }

    /// `places`: the places of the new manifest's keys.
    public init(from old: Manifest, to new: Manifest, places: KeyPlaces = KeyPlaces()) {
        host = Self.keys(Self.words(of: old), Self.words(of: new)).map { key in
            places.placed(key, app: nil, task: nil, in: new.path)
        }
        let before = Dictionary(old.apps.map { ($0.identifier, $0) }) { first, _ in first }
        let after = Set(new.apps.map(\.identifier))
        for app in new.apps {
            let change = Self.change(from: before[app.identifier], to: app, places: places, path: new.path)
            if change.fate != .same { apps.append(change) }
        }
        for app in old.apps where !after.contains(app.identifier) {
            let tasks = app.tasks.map { Task(identifier: $0.identifier, fate: .removed, definition: $0) }
            apps.append(App(identifier: app.identifier, fate: .removed, definition: app, tasks: tasks))
        }
    }

    private static func change(
        from old: LullModel.App?, to new: LullModel.App, places: KeyPlaces, path: String
    ) -> App {
        let file = new.file ?? path
        guard let old else {
            let tasks = new.tasks.map { Task(identifier: $0.identifier, fate: .added, definition: $0) }
            return App(identifier: new.identifier, fate: .added, definition: new, tasks: tasks)
        }
        var change = App(identifier: new.identifier, fate: .same, definition: new)
        change.keys = keys(words(of: old), words(of: new)).map {
            places.placed($0, app: new.identifier, task: nil, in: file)
        }
        let before = Dictionary(old.tasks.map { ($0.identifier, $0) }) { first, _ in first }
        let after = Set(new.tasks.map(\.identifier))
        for task in new.tasks {
            guard let other = before[task.identifier] else {
                change.tasks.append(Task(identifier: task.identifier, fate: .added, definition: task))
                continue
            }
            let keys = keys(words(of: other), words(of: task)).map {
                places.placed($0, app: new.identifier, task: task.identifier, in: file)
            }
            if !keys.isEmpty {
                change.tasks.append(
                    Task(identifier: task.identifier, fate: .changed, definition: task, keys: keys))
            }
        }
        for task in old.tasks where !after.contains(task.identifier) {
            change.tasks.append(Task(identifier: task.identifier, fate: .removed, definition: task))
        }
        if !change.keys.isEmpty || !change.tasks.isEmpty { change.fate = .changed }
        return change
    }

    /// The same diff, with the plugin's description of each setting, and with the commands among the settings in full.
    ///
    /// `old`: nil if it is known only without its settings.
    public func explained(
        from old: Manifest?, to new: Manifest, by schema: (LullModel.App) -> SettingsSchema?
    ) -> ManifestDiff {
        func setting(_ name: String, of task: TaskIdentifier, in manifest: Manifest?) -> JSONValue {
            let settings = manifest?.tasks.first { $0.identifier == task }?.settings
            guard case .object(let members)? = settings else { return .object([:]) }
            return .object(members.filter { "settings." + $0.key == name })
        }
        func explain(_ keys: inout [Key], _ meaning: (String) -> String?) {
            let prefix = "settings."
            for place in keys.indices where keys[place].name.hasPrefix(prefix) {
                keys[place].meaning = meaning(String(keys[place].name.dropFirst(prefix.count)))
            }
        }
        var diff = self
        for app in diff.apps.indices {
            guard let schema = schema(diff.apps[app].definition) else { continue }
            explain(&diff.apps[app].keys, schema.meaning(ofApp:))
            for task in diff.apps[app].tasks.indices {
                explain(&diff.apps[app].tasks[task].keys, schema.meaning(ofTask:))
                let identifier = diff.apps[app].tasks[task].identifier
                for key in diff.apps[app].tasks[task].keys.indices {
                    let name = diff.apps[app].tasks[task].keys[key].name
                    let before = schema.command(ofTask: setting(name, of: identifier, in: old))
                    let after = schema.command(ofTask: setting(name, of: identifier, in: new))
                    guard before != nil || after != nil else { continue }
                    diff.apps[app].tasks[task].keys[key].command = Command(before: before, after: after)
                }
            }
        }
        return diff
    }

    /// The keys that differ between two lists, in the order of the second, then those that only the first has.
    private static func keys(_ old: [(String, String?)], _ new: [(String, String?)]) -> [Key] {
        let before = Dictionary(old) { first, _ in first }
        let after = Set(new.map(\.0))
        let changed = new.compactMap { name, value -> Key? in
            let was = before[name] ?? nil
            return was == value ? nil : Key(name: name, before: was, after: value)
        }
        let gone = old.compactMap { name, value -> Key? in
            after.contains(name) || value == nil ? nil : Key(name: name, before: value, after: nil)
        }
        return changed + gone
    }
}
