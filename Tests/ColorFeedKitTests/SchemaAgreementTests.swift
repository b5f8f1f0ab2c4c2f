import Foundation
import LullManifest
import LullModel
import Testing

@testable import ColorFeedKit

/// What the schema takes the app takes, and the other way round.
@Suite struct SchemaAgreementTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func schema() throws -> SettingsSchema {
        try SettingsSchema(value(ColorFeedSettings.schema.description))
    }

    @Test(arguments: [
        #"{"feed":"feed.json"}"#, #"{"feed":"feed.json","database":"/x.sqlite"}"#, "{}", #"{"feed":""}"#,
        #"{"feed":5}"#, #"{"feed":null}"#, #"{"feed":"x","database":""}"#, #"{"feed":"x","database":null}"#,
        #"{"feeed":"x"}"#, #"{"feed":"x","more":1}"#, #"{"feed":["x"]}"#,
    ])
    func `the app's settings`(_ json: String) throws {
        let isTaken = (try? ColorFeedSettings(json: json, stateDirectory: "/state")) != nil
        let faults = try Self.schema().faults(ofApp: Self.value(json))
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
        var value = try Self.value(ColorFeedSettings.schema.description)
        for step in path {
            guard case .object(let members) = value else { break }
            value = members[step] ?? .null
        }
        guard case .object(let members) = value else { return [] }
        return members.keys.sorted()
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        try agree(Self.keys("app", "properties")) { json in
            do {
                let feed =
                    json.contains("\"feed\"")
                    ? json : json.replacing("{", with: #"{"feed":"x","#, maxReplacements: 1)
                _ = try ColorFeedSettings(json: feed, stateDirectory: "/state")
                return nil
            } catch { return "\(error)" }
        }
    }
}
