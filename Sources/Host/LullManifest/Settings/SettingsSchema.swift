public import LullModel

/// A plugin's schema for its settings: a shape for its app's and one for each of its tasks'.
///
/// The document is in the plugin's file, `{ "lull_settings": 1, "app": …, "task": …, "task_over_app": true }`. A shape that
/// is left out takes anything. With `task_over_app` a task's settings are those of its app with its own on top: they are
/// checked in this form, and the app's settings have the task's shape unless the plugin gives them their own.
public struct SettingsSchema: Sendable, Equatable {
    public static let version: Int64 = 1

    public let app: SettingsShape?
    public let task: SettingsShape?
    /// Whether an app's settings hold for its tasks, unless a task has its own.
    public let isTaskOverApp: Bool
    /// Folders in which the plugin looks for programs, separated by colons; nil for the folders of its host.
    public let programPath: String?
    /// As it was declared, for editors.
    let source: [String: JSONValue]

    public init(_ document: JSONValue) throws(SettingsSchemaFault) {
        guard case .object(let members) = document else { throw SettingsSchemaFault([], .notAnObject) }
        guard members["lull_settings"] == .integer(Self.version) else {
            throw SettingsSchemaFault(["lull_settings"], .version)
        }
        let known = ["lull_settings", "app", "task", "task_over_app", "program_path"]
        if let stray = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw SettingsSchemaFault([], .unknownKeyword(stray, known: known))
        }
        var isTaskOverApp = false
        if let flag = members["task_over_app"] {
            guard case .bool(let value) = flag else {
                throw SettingsSchemaFault(["task_over_app"], .wrongKeyword("true or false"))
            }
            isTaskOverApp = value
        }
        switch members["program_path"] {
        case nil: programPath = nil
        case .string(let path): programPath = path
        default: throw SettingsSchemaFault(["program_path"], .wrongKeyword("folders, separated by colons"))
        }
        let task = try Self.root("task", in: members)
        let app = try Self.root("app", in: members) ?? (isTaskOverApp ? task : nil)
        // A required setting may be in the task.
        self.app = isTaskOverApp ? app?.withoutRequired : app
        self.task = task
        self.isTaskOverApp = isTaskOverApp
        source = members
    }

    private static func root(_ name: String, in members: [String: JSONValue]) throws(SettingsSchemaFault)
        -> SettingsShape?
    {
        guard let value = members[name] else { return nil }
        return try SettingsShape(value, at: [name])
    }

    /// A task's settings as its plugin sees them: maps are joined, anything else is replaced.
    public static func merged(_ app: JSONValue, under task: JSONValue) -> JSONValue {
        guard case .object(let below) = app, case .object(let above) = task else { return task }
        return .object(
            below.merging(above) { below, above in
                if case .object = above { merged(below, under: above) } else { above }
            })
    }

    /// The settings of a task, required ones first; for a manual.
    public var taskSettings: [(name: String, description: String, isRequired: Bool, example: String?)] {
        guard let task else { return [] }
        return task.properties.sorted {
            let (one, other) = (task.required.contains($0.key), task.required.contains($1.key))
            return one == other ? $0.key < $1.key : one
        }.map { name, shape in
            (name, shape.description ?? "", task.required.contains(name), shape.example?.yaml)
        }
    }

    /// The faults of an app's settings.
    public func faults(ofApp settings: JSONValue) -> [SettingFault] {
        app?.faults(of: settings, at: []) ?? []
    }

    /// The faults of a task's settings; faults of its app's settings are reported with the app.
    public func faults(ofTask settings: JSONValue, in app: JSONValue) -> [SettingFault] {
        guard let task else { return [] }
        guard isTaskOverApp else { return task.faults(of: settings, at: []) }
        return task.faults(of: Self.merged(app, under: settings), at: []).filter { fault in
            fault.path.isEmpty || settings.holds(fault.path)
        }
    }

    /// The plugin's description of a setting; nil if it has none.
    public func meaning(ofApp key: String) -> String? { app.flatMap { $0.meaning(of: key) } }
    public func meaning(ofTask key: String) -> String? { task.flatMap { $0.meaning(of: key) } }

    /// The command among a task's settings: a text for a shell, or a program with its arguments; nil if they name none.
    public func command(ofTask settings: JSONValue) -> String? {
        guard case .object(let members) = settings else { return nil }
        for claim in claims(ofTask: settings) {
            switch (claim.format, claim.path.first.flatMap { members[$0] }) {
            case (.command, _): return claim.text
            case (.program, .array(let words)?): return words.map(\.shellWord).joined(separator: " ")
            default: continue
            }
        }
        return nil
    }

    /// The texts among settings that name a program, a file or a folder.
    public func claims(ofApp settings: JSONValue) -> [SettingClaim] {
        app.map { $0.claims(in: settings, at: []) } ?? []
    }

    public func claims(ofTask settings: JSONValue) -> [SettingClaim] {
        task.map { $0.claims(in: settings, at: []) } ?? []
    }
}

extension JSONValue {
    /// Whether there is a value at the path, or one on the way that is not a mapping.
    fileprivate func holds(_ path: [String]) -> Bool {
        guard let first = path.first else { return true }
        guard case .object(let members) = self else { return true }
        return members[first].map { $0.holds(Array(path.dropFirst())) } ?? false
    }
}

extension JSONValue {
    /// The value, quoted if needed, so that a shell reads it as one word.
    fileprivate var shellWord: String {
        let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+@%,:=".contains($0) }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// A text of settings that names something of this machine.
public struct SettingClaim: Sendable, Equatable {
    /// Keys, and the numbers of items.
    public let path: [String]
    public let format: SettingsShape.Format
    public let text: String
}

extension SettingsShape {
    fileprivate func meaning(of key: String) -> String? {
        guard let shape = shape(ofMember: key) else {
            return others == .none ? "the plugin knows no such setting" : nil
        }
        return shape.description
    }

    func claims(in value: JSONValue, at path: [String]) -> [SettingClaim] {
        let shape = alternatives.first { $0.faults(of: value, at: []).isEmpty }
        var claims = shape?.claims(in: value, at: path) ?? []
        if let format {
            switch (value, format) {
            case (.string(let text), .path), (.string(let text), .folder), (.string(let text), .program),
                (.string(let text), .command):
                claims.append(SettingClaim(path: path, format: format, text: text))
            case (.array(let items), .program):
                if case .string(let text)? = items.first {
                    claims.append(SettingClaim(path: path + ["0"], format: format, text: text))
                }
            default: break
            }
        }
        switch value {
        case .object(let members):
            for name in members.keys.sorted() {
                guard let member = members[name], let shape = self.shape(ofMember: name) else { continue }
                claims += shape.claims(in: member, at: path + [name])
            }
        case .array(let values):
            guard let shape = items.first else { break }
            for (number, item) in values.enumerated() {
                claims += shape.claims(in: item, at: path + [String(number)])
            }
        default: break
        }
        return claims
    }

    private func shape(ofMember name: String) -> SettingsShape? {
        if let shape = properties[name] { return shape }
        if case .of(let shape) = others { return shape }
        return nil
    }
}
