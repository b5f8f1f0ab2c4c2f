import TestSupport
import Testing

@testable import ColorFeedKit

/// What the schema takes the app takes, and the other way round.
@Suite struct SchemaAgreementTests {
    private let declared: DeclaredSettings

    init() throws { declared = try DeclaredSettings(ColorFeedSettings.schema.description) }

    @Test(arguments: [
        #"{"feed":"feed.json"}"#, #"{"feed":"feed.json","database":"/x.sqlite"}"#, "{}", #"{"feed":""}"#,
        #"{"feed":5}"#, #"{"feed":null}"#, #"{"feed":"x","database":""}"#, #"{"feed":"x","database":null}"#,
        #"{"feeed":"x"}"#, #"{"feed":"x","more":1}"#, #"{"feed":["x"]}"#,
    ])
    func `the app's settings`(_ json: String) throws {
        let isTaken = (try? ColorFeedSettings(json: json, stateDirectory: "/state")) != nil
        let faults = try declared.faults(ofApp: json)
        #expect(faults.isEmpty == isTaken, "\(faults)")
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        let wrong = declared.disagreements(at: ["app", "properties"]) { json in
            do {
                let feed =
                    json.contains("\"feed\"")
                    ? json : json.replacing("{", with: #"{"feed":"x","#, maxReplacements: 1)
                _ = try ColorFeedSettings(json: feed, stateDirectory: "/state")
                return nil
            } catch { return "\(error)" }
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
