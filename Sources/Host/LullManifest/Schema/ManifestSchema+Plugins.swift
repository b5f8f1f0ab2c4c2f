public import LullModel

extension ManifestSchema {
    /// The schema with the plugins' schemas of their settings, by the names that a manifest gives the plugins.
    ///
    /// Each is a condition on `plugin`, so that editors complete and check the settings of an app by its own plugin.
    public static func json(with plugins: [String: SettingsSchema]) -> JSONValue {
        guard case .object(var schema) = json, case .object(var definitions)? = schema["definitions"],
            case .object(var app)? = definitions["app"], !plugins.isEmpty
        else { return json }
        app["allOf"] = .array(
            plugins.sorted { $0.key < $1.key }.map { name, settings in
                var properties: [String: JSONValue] = [:]
                let shapes = settings.editorShapes
                if let shape = shapes.app { properties["settings"] = shape }
                if let shape = shapes.task {
                    properties["tasks"] = ["additionalProperties": ["properties": ["settings": shape]]]
                }
                return [
                    "if": [
                        "required": ["plugin"],
                        "properties": [
                            "plugin": ["pattern": .string("(^|/)(lib)?\(escaped(name))(\\.so)?$")]
                        ],
                    ],
                    "then": ["properties": .object(properties)],
                ]
            })
        definitions["app"] = .object(app)
        schema["definitions"] = .object(definitions)
        return .object(schema)
    }

    private static func escaped(_ name: String) -> String {
        name.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? String($0) : "\\\($0)" }.joined()
    }
}

extension SettingsSchema {
    /// The shapes for an editor, which sees a task without its app: a setting that the other may have is not required.
    /// Settings may also be empty.
    fileprivate var editorShapes: (app: JSONValue?, task: JSONValue?) {
        func shape(_ name: String) -> JSONValue? {
            guard case .object(var members)? = source[name] else { return nil }
            if isTaskOverApp { members["required"] = nil }
            return ["anyOf": [.object(members), ["type": "null"]]]
        }
        let task = shape("task")
        return (shape("app") ?? (isTaskOverApp ? task : nil), task)
    }
}
