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
}
