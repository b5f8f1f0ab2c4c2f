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
}
