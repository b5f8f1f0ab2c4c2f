import CCommandKit
import TestSupport
import Testing

/// The app accepts exactly the settings that the schema accepts.
@Suite struct SchemaAgreementTests {
    private let declared: DeclaredSettings

    init() throws { declared = try DeclaredSettings(String(cString: command_schema())) }

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
        #"{"run":"x","env_file":"/a"}"#, #"{"run":"x","env_file":["-/a","b","--"]}"#,
        #"{"run":"x","env_file":[]}"#, #"{"run":"x","env_file":null}"#, #"{"run":"x","env_file":""}"#,
        #"{"run":"x","env_file":["-"]}"#, #"{"run":"x","env_file":[""]}"#, #"{"run":"x","env_file":"-"}"#,
        #"{"run":"x","env_file":1}"#, #"{"run":"x","env_file":[null]}"#,
        #"{"run":"x","env_file":{"A":"/a"}}"#,
        #"{"run":"x","secrets":null}"#, #"{"run":"x","secrets":{}}"#, #"{"run":"x","secrets":{"a":{}}}"#,
        #"{"run":"x","secrets":{"a":null}}"#, #"{"run":"x","secrets":{"a":"/a"}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a"}}}"#,
        #"{"run":"x","secrets":{"a.b-c@1":{"command":"x y"}}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a","command":"x"}}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a","env":"A_1"}}}"#,
        #"{"run":"x","secrets":{"a":{"command":"x","env":"_"}}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a","env":"1A"}}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a","env":true}}}"#,
        #"{"run":"x","secrets":{"a":{"env":"A"}}}"#, #"{"run":"x","secrets":{"a":{"file":""}}}"#,
        #"{"run":"x","secrets":{"a":{"file":[]}}}"#, #"{"run":"x","secrets":{"a":{"command":" \n"}}}"#,
        #"{"run":"x","secrets":{"a":{"file":"/a","mode":"0400"}}}"#,
        #"{"run":"x","secrets":{".a":{"file":"/a"}}}"#,
        #"{"run":"x","secrets":{"":{"file":"/a"}}}"#, #"{"run":"x","secrets":{"a:b":{"file":"/a"}}}"#,
        #"{"run":"x","env":null}"#, #"{"run":"x","stdin":""}"#, #"{"run":"x","stdin":1}"#,
        #"{"run":"x","success":[0,24,255]}"#, #"{"run":"x","success":[]}"#, #"{"run":"x","success":[256]}"#,
        #"{"run":"x","success":[-1]}"#, #"{"run":"x","success":0}"#, #"{"run":"x","success":["0"]}"#,
        #"{"run":"x","success":[1.5]}"#, #"{"run":"x","success":null}"#, #"{"run":"x","grace_seconds":0.5}"#,
        #"{"run":"x","grace_seconds":3601}"#, #"{"run":"x","grace_seconds":-1}"#,
        #"{"run":"x","grace_seconds":"5"}"#, #"{"run":"x","grace_seconds":null}"#,
    ])
    func `a task's settings`(_ json: String) throws {
        let isTaken = ReadSettings(json).refusal == nil
        let faults = try declared.faults(ofTask: json)
        #expect(faults.isEmpty == isTaken, "\(faults)")
    }

    @Test(arguments: [
        (#"{"run":"x"}"#, "{}"), (#"{"shell":"/bin/bash","env":{"A":"1"}}"#, #"{"run":"x","env":{"B":"2"}}"#),
        (#"{"run":"x"}"#, #"{"run":5}"#), (#"{"shell":7}"#, #"{"run":"x"}"#),
        (#"{"cwdd":"/"}"#, #"{"run":"x"}"#),
        (#"{"secrets":{"a":{"file":"/a"}}}"#, #"{"run":"x","secrets":{"b":{"command":"b"}}}"#),
        (#"{"secrets":{"a":{"file":"/a"}}}"#, #"{"run":"x","secrets":{"a":{"file":"/b","env":"A"}}}"#),
        (#"{"secrets":{"a":{"file":"/a"}}}"#, #"{"run":"x","secrets":{"a":{"command":"b"}}}"#),
        (#"{"shell":"/bin/bash"}"#, "{}"), (#"{"success":[]}"#, #"{"run":"x","success":[1]}"#),
    ])
    func `a task's settings over those of its app`(_ app: String, _ task: String) throws {
        let isTaken = ReadSettings(task, app: app).refusal == nil
        let faults = try declared.faults(ofApp: app) + declared.faults(ofTask: task, in: app)
        // The app's own mistake counts even if this task overrides it, because another task may not.
        #expect(faults.isEmpty == isTaken || app == #"{"success":[]}"#, "\(faults)")
    }

    @Test func `each key of the schema is read, and each that is read is in it`() throws {
        let wrong = declared.disagreements(at: ["task", "properties"]) { json in
            ReadSettings(json, app: #"{"run":"x"}"#).refusal
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
