import TestSupport
import Testing

@testable import SQLiteMaintenanceKit

/// What the schema takes the app takes, and the other way round.
@Suite struct SchemaAgreementTests {
    private let declared: DeclaredSettings

    init() throws { declared = try DeclaredSettings(MaintenanceSettings.schema.description) }

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
        let faults = try declared.faults(ofApp: json)
        #expect(faults.isEmpty == isTaken, "\(faults)")
    }

    @Test(arguments: [
        "{}", #"{"steps":["check","vacuum"]}"#, #"{"steps":[]}"#, #"{"steps":["chekc"]}"#,
        #"{"steps":"check"}"#,
        #"{"steps":[1]}"#, #"{"stepps":["check"]}"#,
    ])
    func `a task's settings`(_ json: String) throws {
        let isTaken = (try? MaintenanceTaskSettings(json: json)) != nil
        let faults = try declared.faults(ofTask: json)
        #expect(faults.isEmpty == isTaken, "\(faults)")
    }

    private func refusal(_ json: String) -> String? {
        do {
            _ = try MaintenanceSettings(json: json)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        func with(_ key: String, _ json: String) -> String {
            json.contains("\"\(key)\"")
                ? json : json.replacing("{", with: #"{"\#(key)":"/x","#, maxReplacements: 1)
        }
        let databases = ["app", "properties", "databases", "items", "properties"]
        let wrong =
            declared.disagreements(at: ["app", "properties"], refusal: refusal)
            + declared.disagreements(at: databases) { refusal(#"{"databases":[\#(with("path", $0))]}"#) }
            + declared.disagreements(at: databases + ["backup", "properties"]) { json in
                refusal(#"{"databases":[{"path":"/x","backup":\#(with("folder", json))}]}"#)
            }
            + declared.disagreements(at: ["task", "properties"]) { json in
                do {
                    _ = try MaintenanceTaskSettings(json: json)
                    return nil
                } catch { return "\(error)" }
            }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
