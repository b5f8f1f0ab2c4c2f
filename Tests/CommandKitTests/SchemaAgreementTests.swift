import CCommandKit
import Foundation
import LullManifest
import LullModel
import Testing

/// What the schema takes the app takes, and the other way round.
@Suite struct SchemaAgreementTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func schema() throws -> SettingsSchema {
        try SettingsSchema(value(String(cString: command_schema())))
    }

    @Test(arguments: [
        #"{"run":"x"}"#, #"{"run":["a","b",3,true,2.5]}"#, #"{"rum":"x"}"#, "{}", #"{"run":[]}"#,
        #"{"run":""}"#,
        #"{"run":" \n"}"#, #"{"run":5}"#, #"{"run":null}"#, #"{"run":true}"#, #"{"run":[""]}"#,
        #"{"run":{"a":1}}"#,
        #"{"run":"a\u0000b"}"#, #"{"run":["a",null]}"#, #"{"run":["a",["b"]]}"#,
        #"{"run":"x","shell":"/bin/nosuch"}"#, #"{"run":"x","shell":null}"#, #"{"run":"x","shell":7}"#,
        #"{"run":"x","cwd":"/no/such"}"#, #"{"run":"x","cwd":["/"]}"#, #"{"run":"x","sucess":[0]}"#,
        #"{"run":"x","env":{"A":1,"B":"2","C":true}}"#, #"{"run":"x","env":{"A=B":"1"}}"#,
        #"{"run":"x","env":{"":"1"}}"#, #"{"run":"x","env":{"A":null}}"#, #"{"run":"x","env":["A=1"]}"#,
        #"{"run":"x","env":null}"#, #"{"run":"x","stdin":""}"#, #"{"run":"x","stdin":1}"#,
        #"{"run":"x","success":[0,24,255]}"#, #"{"run":"x","success":[]}"#, #"{"run":"x","success":[256]}"#,
        #"{"run":"x","success":[-1]}"#, #"{"run":"x","success":0}"#, #"{"run":"x","success":["0"]}"#,
        #"{"run":"x","success":[1.5]}"#, #"{"run":"x","success":null}"#, #"{"run":"x","grace_seconds":0.5}"#,
        #"{"run":"x","grace_seconds":3601}"#, #"{"run":"x","grace_seconds":-1}"#,
        #"{"run":"x","grace_seconds":"5"}"#, #"{"run":"x","grace_seconds":null}"#,
    ])
    func `a task's settings`(_ json: String) throws {
        let isTaken = ReadSettings(json).refusal == nil
        let faults = try Self.schema().faults(ofTask: Self.value(json), in: .object([:]))
        #expect(faults.isEmpty == isTaken, "\(faults.map(\.message))")
    }

    @Test(arguments: [
        (#"{"run":"x"}"#, "{}"), (#"{"shell":"/bin/bash","env":{"A":"1"}}"#, #"{"run":"x","env":{"B":"2"}}"#),
        (#"{"run":"x"}"#, #"{"run":5}"#), (#"{"shell":7}"#, #"{"run":"x"}"#),
        (#"{"cwdd":"/"}"#, #"{"run":"x"}"#),
        (#"{"shell":"/bin/bash"}"#, "{}"), (#"{"success":[]}"#, #"{"run":"x","success":[1]}"#),
    ])
    func `a task's settings over those of its app`(_ app: String, _ task: String) throws {
        let isTaken = ReadSettings(task, app: app).refusal == nil
        let schema = try Self.schema()
        let faults =
            schema.faults(ofApp: try Self.value(app))
            + schema.faults(ofTask: try Self.value(task), in: try Self.value(app))
        // The app's own slip is one even where the task says otherwise: another task may not.
        #expect(faults.isEmpty == isTaken || app == #"{"success":[]}"#, "\(faults.map(\.message))")
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
        var value = try Self.value(String(cString: command_schema()))
        for step in path {
            guard case .object(let members) = value else { break }
            value = members[step] ?? .null
        }
        guard case .object(let members) = value else { return [] }
        return members.keys.sorted()
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        try agree(Self.keys("task", "properties")) { json in
            ReadSettings(json, app: #"{"run":"x"}"#).refusal
        }
    }
}
