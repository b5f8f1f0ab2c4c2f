import Foundation
import LullManifest
import LullModel

/// The schema that a plugin declares for its settings, beside what the plugin really takes.
public struct DeclaredSettings {
    private let declared: JSONValue
    private let schema: SettingsSchema

    public init(_ schema: String) throws {
        declared = try Self.value(schema)
        self.schema = try SettingsSchema(declared)
    }

    /// What the schema holds against these settings of an app.
    public func faults(ofApp json: String) throws -> [String] {
        schema.faults(ofApp: try Self.value(json)).map(\.message)
    }

    /// What the schema holds against these settings of a task, in an app with those.
    public func faults(ofTask json: String, in app: String = "{}") throws -> [String] {
        schema.faults(ofTask: try Self.value(json), in: try Self.value(app)).map(\.message)
    }

    /// Where the plugin's code and the keys at `path` of its schema differ; empty: each key is read, and each that is read is
    /// declared.
    ///
    /// `refusal`: what the plugin answers to settings; nil: it takes them.
    public func disagreements(at path: [String], refusal: (String) -> String?) -> [String] {
        let keys = keys(at: path)
        guard !keys.isEmpty else { return ["the schema has nothing at \(path)"] }
        let stray = refusal(#"{"nonsense":1}"#) ?? ""
        let words = stray.components(separatedBy: "Known are ").last ?? ""
        let known = words.split { !($0.isLetter || $0 == "_") }.map(String.init).filter { $0 != "and" }
        let named =
            Set(known) == keys ? [] : ["the schema has \(keys.sorted()), and the plugin says: \(stray)"]
        // Who names a key and never looks at it takes anything there.
        return named
            + keys.sorted().compactMap { key in
                guard let answer = refusal(#"{"\#(key)":{"odd":[[]]}}"#) else {
                    return "\(key): anything is taken"
                }
                return answer.contains("unknown key \"\(key)\"") ? "\(key): \(answer)" : nil
            }
    }

    private func keys(at path: [String]) -> Set<String> {
        var value = declared
        for step in path {
            guard case .object(let members) = value else { return [] }
            value = members[step] ?? .null
        }
        guard case .object(let members) = value else { return [] }
        return Set(members.keys)
    }

    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}
