import LullManifest
import LullModel

/// A difference of manifests for programs.
struct DiffJSON: Encodable {
    struct Key: Encodable {
        let key: String
        /// Both are absent for settings if the old manifest is the one in force, of which no secrets are known.
        let before: String?
        let after: String?
        let file: String?
        let line: Int?
        /// The purpose of a setting, as its plugin describes it.
        let meaning: String?
    }

    struct Task: Encodable {
        let task: TaskIdentifier
        let change: ManifestDiff.Fate
        let summary: String
        let file: String?
        let line: Int?
        let keys: [Key]
    }

    struct App: Encodable {
        let app: AppIdentifier
        let change: ManifestDiff.Fate
        let file: String?
        let line: Int?
        let keys: [Key]
        let tasks: [Task]
    }

    struct Request: Encodable {
        let request: RequestID
        let task: TaskIdentifier?
        /// `given_up`, `replaced`, or nil: it still waits.
        let end: String?
        let reason: String?
    }

    struct Run: Encodable {
        let run: RunID
        let task: TaskIdentifier
        /// Whether its worker is older than the manifest in force: the run uses the one before.
        let isOutdated: Bool
    }

    let path: String
    /// Nil: no manifest is in force.
    let against: String?
    let isSame: Bool
    let hostKeys: [Key]
    let apps: [App]
    let requests: [Request]?
    let runs: [Run]?

    init(_ comparison: ManifestComparison) {
        let new = comparison.new
        path = new.path
        against = comparison.firstOn == nil ? comparison.old.path : nil
        isSame = comparison.diff.isEmpty
        let isHiding = comparison.preview != nil
        func key(_ key: ManifestDiff.Key) -> Key {
            let isHidden = isHiding && key.name.hasPrefix("settings.")
            return Key(
                key: key.name, before: isHidden ? nil : key.before, after: isHidden ? nil : key.after,
                file: key.file, line: key.line, meaning: key.meaning)
        }
        hostKeys = comparison.diff.host.map(key)
        apps = comparison.diff.apps.map { app in
            let isNew = app.fate != .removed
            return App(
                app: app.identifier, change: app.fate, file: isNew ? app.definition.file ?? new.path : nil,
                line: isNew ? app.definition.line : nil, keys: app.keys.map(key),
                tasks: app.tasks.map { task in
                    let isNew = task.fate != .removed
                    return Task(
                        task: task.identifier, change: task.fate,
                        summary: ManifestDiff.summary(of: task.definition),
                        file: isNew ? task.definition.file ?? new.path : nil,
                        line: isNew ? task.definition.line : nil, keys: task.keys.map(key))
                })
        }
        requests = comparison.preview.map { preview in
            preview.ended.compactMap { event in
                event.request.map {
                    Request(request: $0, task: event.task, end: event.event.rawValue, reason: event.reason)
                }
            } + preview.kept.map { Request(request: $0.id, task: $0.task, end: nil, reason: nil) }
        }
        let older = Set(comparison.outdated.flatMap { $0.outdated ?? [] })
        runs = comparison.preview.map {
            $0.running.map { Run(run: $0.run, task: $0.task, isOutdated: older.contains($0.run)) }
        }
    }
}
