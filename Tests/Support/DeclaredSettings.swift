import Foundation
import LullManifest
import LullModel

/// The schema that a plugin declares for its settings, to compare with the settings that the plugin really accepts.
public struct DeclaredSettings {
    private let declared: JSONValue
    private let schema: SettingsSchema

    public init(_ schema: String) throws {
        declared = try Self.value(schema)
        self.schema = try SettingsSchema(declared)
    }

    /// The schema's objections to these settings of an app.
    public func faults(ofApp json: String) throws -> [String] {
        schema.faults(ofApp: try Self.value(json)).map(\.message)
    }

    /// The schema's objections to these settings of a task, in an app with settings of its own.
    public func faults(ofTask json: String, in app: String = "{}") throws -> [String] {
        schema.faults(ofTask: try Self.value(json), in: try Self.value(app)).map(\.message)
    }

    /// The differences between the plugin's code and the keys at `path` of its schema. Empty: the plugin reads each declared key
    /// and no other.
    ///
    /// `refusal` returns the plugin's error for some settings, or nil if it accepts them.
    public func disagreements(at path: [String], refusal: (String) -> String?) -> [String] {
        let keys = keys(at: path)
        guard !keys.isEmpty else { return ["the schema has nothing at \(path)"] }
        let stray = refusal(#"{"nonsense":1}"#) ?? ""
        let words = stray.components(separatedBy: "Known are ").last ?? ""
        let known = words.split { !($0.isLetter || $0 == "_") }.map(String.init).filter { $0 != "and" }
        let named =
            Set(known) == keys ? [] : ["the schema has \(keys.sorted()), and the plugin says: \(stray)"]
        // A plugin that knows a key but never reads it accepts any value there.
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
