import LullHost
import LullManifest
import LullModel

/// The command of a task, in the words of its settings, and the task's place in the manifest's file.
///
/// It is read from the file alone, because `manifestInForce` has only digests of settings. So a user who may not read
/// the file does not see its commands, and it can tell whether the file was edited since a host read it.
package struct WhatRuns {
    /// Nil: its plugin names nothing in its settings as a command.
    package let command: String?
    /// `jobs.yaml:12`.
    package let place: String
    /// The digest of the task in the file; see `TaskDefinition.digest`.
    let digest: String
    package let definition: TaskDefinition
    /// Whether a host has another manifest in force, which does not say this of the task.
    private(set) var isEdited = false
    /// Whether the file has errors now; this is then as much as can be read of it.
    private(set) var isBroken = false

    /// Nil: the manifest does not list the task.
    init?(of task: TaskIdentifier, in manifest: Manifest) {
        guard let (app, definition) = Self.find(task, in: manifest) else { return nil }
        self.init(definition, in: app, of: manifest, command: Self.command(of: definition, in: app))
    }

    private init(_ definition: TaskDefinition, in app: App, of manifest: Manifest, command: String?) {
        self.command = command
        self.definition = definition
        place = "\(definition.file ?? manifest.path):\(definition.line)"
        digest = definition.digest(in: app)
    }

    /// Reads the manifest that the host of this state has read, as its file is now; if no host has run, the one that would
    /// be run. Of a file with errors as much as can be read. Nil: it does not list the task.
    package init?(of task: TaskIdentifier, _ options: StateOptions, manifest: String?) {
        let folder = options.folder
        let inForce = folder.nameInForce
        let read = options.read(manifest ?? inForce?.path)
        let isSame = read.manifest != nil && read.manifest?.hash == inForce?.hash
        self.init(of: task, read: read, inForce: isSame ? nil : folder.manifestInForce)
    }

    init?(of task: TaskIdentifier, read: ManifestResult, inForce: Manifest?) {
        let isBroken = read.manifest == nil
        guard let manifest = read.manifest ?? read.draft, Self.find(task, in: manifest) != nil else {
            // The manifest in force is read with digests of settings only: they give the task's place, but not its command.
            guard isBroken, let inForce, let (app, definition) = Self.find(task, in: inForce) else {
                return nil
            }
            self.init(definition, in: app, of: inForce, command: nil)
            self.isBroken = true
            return
        }
        self.init(of: task, in: manifest)
        self.isBroken = isBroken
        guard let inForce else { return }
        let (known, new) = (Self.find(task, in: inForce), Self.find(task, in: manifest.withoutSecrets))
        isEdited = known.map { $0.1.digest(in: $0.0) } != new.map { $0.1.digest(in: $0.0) }
    }

    /// "Runs: rsync -a ~/ nas: (jobs.yaml:12)"; without a command only the place.
    var sentence: String { (command == nil ? "In the manifest: " : "Runs: ") + text }

    /// "rsync -a ~/ nas: (jobs.yaml:12)".
    var text: String {
        let edited = isEdited ? ", changed since the host read it" : ""
        let broken = isBroken ? ", a file with errors now: `lull check` shows them" : ""
        return command.map { "\($0) (\(place)\(edited)\(broken))" } ?? place + edited + broken
    }

    private static func find(
        _ task: TaskIdentifier, in manifest: Manifest
    ) -> (App, TaskDefinition)? {
        for name in [task] + task.wildcards {
            for app in manifest.apps {
                if let definition = app.tasks.first(where: { $0.identifier == name }) {
                    return (app, definition)
                }
            }
        }
        return nil
    }

    /// The setting that the plugin's schema calls a command, or a list that begins with a program.
    private static func command(of task: TaskDefinition, in app: App) -> String? {
        guard case .success(let schema)? = PluginSchemas.schema(of: app.plugin) else { return nil }
        return schema.command(
            ofTask: schema.isTaskOverApp
                ? SettingsSchema.merged(app.settings, under: task.settings) : task.settings)
    }
}
