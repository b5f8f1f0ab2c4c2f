import Foundation
import LullManifest
import LullModel
import Testing

@testable import SQLiteMaintenanceKit

/// What the schema takes the app takes, and the other way round.
@Suite struct SchemaAgreementTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func schema() throws -> SettingsSchema {
        try SettingsSchema(value(MaintenanceSettings.schema.description))
    }

    @Test(arguments: [
        #"{"databases":[{"path":"/x"}]}"#, "{}", #"{"databases":[]}"#, #"{"databases":{"path":"/x"}}"#,
        #"{"databases":["/x"]}"#, #"{"databases":[{"path":""}]}"#, #"{"databases":[{"pth":"/x"}]}"#,
        #"{"databases":[{"path":"/x","backup":{"folder":"/b","keep":3}}]}"#,
        #"{"databases":[{"path":"/x","backup":{"keep":3}}]}"#,
        #"{"databases":[{"path":"/x","backup":"/b"}]}"#,
        #"{"databases":[{"path":"/x","backup":{"folder":"/b","keep":0}}]}"#,
        #"{"databases":[{"path":"/x","backup":null}]}"#, #"{"databases":[{"path":"/x","vacuum":true}]}"#,
        #"{"databases":[{"path":"/x","vacuum":"auto"}]}"#, #"{"databases":[{"path":"/x","vacuum":"yes"}]}"#,
        #"{"databases":[{"path":"/x","integrity":"full"}]}"#,
        #"{"databases":[{"path":"/x","integrity":"ful"}]}"#,
        #"{"databases":[{"path":"/x","optional":true}]}"#,
        #"{"databases":[{"path":"/x","optional":"true"}]}"#,
        #"{"databases":[{"path":"/x"}],"busy_seconds":0}"#,
        #"{"databases":[{"path":"/x"}],"busy_seconds":-1}"#,
        #"{"databases":[{"path":"/x"}],"busy_seconds":1.5}"#, #"{"databases":[{"path":"/x"}],"more":1}"#,
    ])
    func `the app's settings`(_ json: String) throws {
        let isTaken = (try? MaintenanceSettings(json: json)) != nil
        let faults = try Self.schema().faults(ofApp: Self.value(json))
        #expect(faults.isEmpty == isTaken, "\(faults.map(\.message))")
    }

    @Test(arguments: [
        "{}", #"{"steps":["check","vacuum"]}"#, #"{"steps":[]}"#, #"{"steps":["chekc"]}"#,
        #"{"steps":"check"}"#,
        #"{"steps":[1]}"#, #"{"stepps":["check"]}"#,
    ])
    func `a task's settings`(_ json: String) throws {
        let isTaken = (try? MaintenanceTaskSettings(json: json)) != nil
        let faults = try Self.schema().faults(ofTask: Self.value(json), in: .object([:]))
        #expect(faults.isEmpty == isTaken, "\(faults.map(\.message))")
    }

    /// A value that no key takes.
    private static let odd = #"{"odd":[[]]}"#

    /// `message`: what the app answers to these settings; nil: it takes them.
    private func agree(_ keys: some Sequence<String>, _ message: (String) -> String?) throws {
        let keys = Set(keys)
        let stray = try #require(message(#"{"nonsense":1}"#))
        let words = try #require(stray.components(separatedBy: "Known are ").last)
        let known = words.split { !($0.isLetter || $0 == "_") }.map(String.init).filter { $0 != "and" }
        #expect(Set(known) == keys, "\(stray)")
        // Who names a key and never looks at it takes anything there.
        for key in keys {
            let refusal = message(#"{"\#(key)":\#(Self.odd)}"#)
            #expect(refusal?.contains("unknown key \"\(key)\"") == false, "\(key): \(refusal ?? "taken")")
        }
    }

    private static func keys(_ path: String...) throws -> [String] {
        var value = try Self.value(MaintenanceSettings.schema.description)
        for step in path {
            guard case .object(let members) = value else { break }
            value = members[step] ?? .null
        }
        guard case .object(let members) = value else { return [] }
        return members.keys.sorted()
    }

    private func refusal(_ json: String) -> String? {
        do {
            _ = try MaintenanceSettings(json: json)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        try agree(Self.keys("app", "properties")) { json in refusal(json) }
        try agree(Self.keys("app", "properties", "databases", "items", "properties")) { json in
            let rest =
                json.contains("\"path\"")
                ? json : json.replacing("{", with: #"{"path":"/x","#, maxReplacements: 1)
            return refusal(#"{"databases":[\#(rest)]}"#)
        }
        try agree(
            Self.keys("app", "properties", "databases", "items", "properties", "backup", "properties")
        ) { json in
            let rest =
                json.contains("\"folder\"")
                ? json : json.replacing("{", with: #"{"folder":"/b","#, maxReplacements: 1)
            return refusal(#"{"databases":[{"path":"/x","backup":\#(rest)}]}"#)
        }
        try agree(Self.keys("task", "properties")) { json in
            do {
                _ = try MaintenanceTaskSettings(json: json)
                return nil
            } catch { return "\(error)" }
        }
    }
}
