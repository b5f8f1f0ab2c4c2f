import Glibc
import LullManifest
import LullModel

/// Settings as the plugins' own schemas judge them; nothing of a plugin runs.
package struct SettingsCheck {
    private let manifest: Manifest
    private let places: KeyPlaces
    private let schemas: PluginSchemas

    /// At most this many are listed: finding the place of each costs a look through its file.
    private static let limit = 1000

    private struct Finding {
        var owner: String { task?.identifier.text ?? app.identifier.text }
        let severity: Diagnostic.Severity
        let path: [String]
        var isKey = false
        var isMissing = false
        let app: App
        let task: TaskDefinition?
        let message: String
        let fix: String
        /// Message and remedy without the value.
        var logged: String?
        /// Where a program was looked for.
        var searchPath: String?
        /// The program that is missing.
        var program: String?
        var aside = ""
    }

    /// The settings that break a schema, for a log: with the place, and without a value.
    package static func logged(of manifest: Manifest) -> [String] {
        let check = SettingsCheck(manifest, places: KeyPlaces(of: manifest))
        return check.judged.findings.compactMap { finding in
            finding.logged.map { check.note(of: finding, saying: $0) }
        }.inOrder(of: manifest.files).map { note in
            let place = [note.path, note.line.map(String.init), note.column.map(String.init)]
            return "\(place.compactMap(\.self).joined(separator: ":")): \(note.message)"
        }
    }

    package init(_ manifest: Manifest, places: KeyPlaces) {
        self.manifest = manifest
        self.places = places
        schemas = PluginSchemas(of: manifest.apps.filter(\.enabled).map(\.plugin))
    }

    /// With the faults of the schemas themselves.
    private var judged: (notes: [ManifestNote], findings: [Finding]) {
        var notes: [ManifestNote] = []
        var findings: [Finding] = []
        for app in manifest.apps where app.enabled {
            switch schemas[app.plugin] {
            case nil: continue
            case .failure(let fault): notes.append(note(of: fault, in: app))
            case .success(let schema): findings += self.findings(in: app, by: schema)
            }
        }
        return (notes, Self.sayingPathOnce(findings))
    }

    /// Shows PATH with the first program that is missing from it, and again where another PATH applies.
    private static func sayingPathOnce(_ findings: [Finding]) -> [Finding] {
        var last: String?
        return findings.map { finding in
            guard let path = finding.searchPath, path != last else { return finding }
            last = path
            var finding = finding
            finding.aside = " (\(path))"
            return finding
        }
    }

    package var notes: [ManifestNote] {
        let findings: [Finding]
        var notes: [ManifestNote]
        (notes, findings) = judged
        // Errors first, so that the limit cuts off warnings.
        let ordered = findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
        notes += ordered.prefix(Self.limit).map { note(of: $0) }
        if ordered.count > Self.limit {
            notes.append(
                ManifestNote(
                    ordered[Self.limit].severity, at: SourcePlace(path: manifest.path, line: 0, column: 0),
                    "\(ordered.count - Self.limit) more problems with settings are not listed",
                    fix: "fix those that are"))
        }
        return notes
    }

    /// For a manifest with errors: leaves out the notes that follow from them.
    package func notes(beside diagnostics: [Diagnostic]) -> [ManifestNote] {
        let errors = diagnostics.filter { $0.severity == .error }
        let areSettingsKnown = !errors.contains { $0.problem.isAboutSettings }
        return notes.filter { note in
            (areSettingsKnown || !note.isAboutMissing)
                && !errors.contains { $0.path == note.path && $0.line == note.line }
        }
    }

    private func findings(in app: App, by schema: SettingsSchema) -> [Finding] {
        var findings = schema.faults(ofApp: app.settings).map { finding($0, app, nil) }
        findings += schema.claims(ofApp: app.settings).flatMap {
            self.findings(of: $0, app, nil, settings: app.settings, schema)
        }
        // The task of pushes has no settings of its own: it uses those that its app gives all tasks.
        for task in app.tasks where task.enabled && (!task.kind.isMadeByApp || schema.isTaskOverApp) {
            let merged =
                schema.isTaskOverApp
                ? SettingsSchema.merged(app.settings, under: task.settings) : task.settings
            findings += schema.faults(ofTask: task.settings, in: app.settings).map { finding($0, app, task) }
            findings += schema.claims(ofTask: task.settings).flatMap {
                self.findings(of: $0, app, task, settings: merged, schema)
            }
        }
        return findings
    }

    private func finding(_ fault: SettingFault, _ app: App, _ task: TaskDefinition?) -> Finding {
        Finding(
            severity: .error, path: fault.path, isKey: fault.isAboutKey, isMissing: fault.isMissing, app: app,
            task: task, message: fault.message,
            fix: fault.fix + (task?.kind.isMadeByApp == true ? " in the `settings` of the app" : ""),
            logged: fault.logged)
    }

    private func findings(
        of claim: SettingClaim, _ app: App, _ task: TaskDefinition?, settings: JSONValue,
        _ schema: SettingsSchema
    ) -> [Finding] {
        let file = task?.file ?? app.file ?? manifest.files.first ?? manifest.path
        let look = ClaimLook(
            settings: settings, programPath: schema.programPath,
            startFolders: [".", file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."],
            hasOwnAccount: app.hasOwnAccount && geteuid() == 0)
        return look.doubts(of: claim).map { doubt in
            Finding(
                severity: doubt.isError ? .error : .warning, path: claim.path, app: app, task: task,
                message: doubt.message,
                fix: doubt.fix, searchPath: doubt.searchPath, program: doubt.program)
        }
    }

    private func note(of fault: SettingsSchemaFault, in app: App) -> ManifestNote {
        let file = app.file ?? manifest.files.first ?? manifest.path
        return ManifestNote(
            .warning,
            at: places.place(of: ["plugin"], app: app.identifier, in: file)
                ?? SourcePlace(path: file, line: app.line, column: 1),
            "settings of \(app.identifier) can't be checked: the schema that '\(app.plugin)' declares is wrong, "
                + fault.message,
            fix: "ask the plugin's author to fix it (\(fault.fix)); it runs anyway")
    }

    private func note(of finding: Finding, saying said: String? = nil) -> ManifestNote {
        let (app, task) = (finding.app, finding.task)
        let file = task?.file ?? app.file ?? manifest.files.first ?? manifest.path
        let place = places.place(
            ofSetting: finding.path, isKey: finding.isKey, app: app.identifier, task: task?.identifier,
            in: file)
        var note = ManifestNote(
            finding.severity,
            at: place ?? SourcePlace(path: file, line: task?.line ?? app.line, column: 1),
            of: finding.owner, said ?? finding.message, aside: finding.aside, fix: finding.fix)
        note.isAboutMissing = finding.isMissing
        note.name = finding.program
        return note
    }
}
