import Testing

@testable import CommandKit

@Suite struct CommandSettingsTests {
    @Test func `a text is for the shell and a list is not`() throws {
        #expect(try CommandSettings(json: #"{"run":"a | b"}"#).run == .shell("a | b"))
        #expect(try CommandSettings(json: #"{"run":["a","b c",3]}"#).run == .arguments(["a", "b c", "3"]))
    }

    @Test func `defaults are those of the documentation`() throws {
        let settings = try CommandSettings(json: #"{"run":"true"}"#)
        #expect(settings.shell == "/bin/sh")
        #expect(settings.success == [0])
        #expect(settings.grace == .seconds(3))
        #expect(settings.folder == nil)
        #expect(settings.input == nil)
    }

    @Test func `every key is read`() throws {
        let json = """
            {"run":"x","shell":"/bin/bash","env":{"A":"1","B":2,"C":true},"cwd":"/tmp","stdin":"text",
             "success":[0,24],"grace_seconds":0.5}
            """
        let settings = try CommandSettings(json: json)
        #expect(settings.shell == "/bin/bash")
        #expect(settings.environment == ["A": "1", "B": "2", "C": "true"])
        #expect(settings.folder == "/tmp")
        #expect(settings.input == "text")
        #expect(settings.success == [0, 24])
        #expect(settings.grace == .milliseconds(500))
    }

    @Test func `what the app says holds for a task that does not say otherwise`() throws {
        let app = #"{"lull":{"permitted":[]},"shell":"/bin/bash","cwd":"~","env":{"A":"1","B":"2"}}"#
        let settings = try CommandSettings(json: #"{"run":"x","env":{"B":"3"}}"#, app: app)
        #expect(settings.shell == "/bin/bash")
        #expect(settings.folder == "~")
        #expect(settings.environment == ["A": "1", "B": "3"])
        let own = try CommandSettings(json: #"{"run":"x","shell":"/bin/sh","cwd":"/"}"#, app: app)
        #expect(own.shell == "/bin/sh")
        #expect(own.folder == "/")
        #expect(
            throws: CommandError.settings(
                #"unknown key "shel". Known are run, shell, env, cwd, stdin, success, grace_seconds."#)
        ) {
            try CommandSettings(json: #"{"run":"x"}"#, app: #"{"shel":"/bin/sh"}"#)
        }
    }

    @Test(arguments: [
        ("{}", "\"run\" is missing"),
        (#"{"run":" \n"}"#, "\"run\" is empty"),
        (#"{"run":[]}"#, "\"run\" names no program"),
        (#"{"run":[""]}"#, "\"run\" names no program"),
        (#"{"run":{"a":1}}"#, "\"run\" has the wrong type"),
        (#"{"run":"a\u0000b"}"#, "NUL"),
        (#"{"run":"x","sucess":[0]}"#, "unknown key \"sucess\""),
        (#"{"run":"x","env":["A=1"]}"#, "\"env\" has the wrong type"),
        (#"{"run":"x","env":{"A=B":"1"}}"#, "\"A=B\""),
        (#"{"run":"x","success":[]}"#, "\"success\" is not a list of exit codes"),
        (#"{"run":"x","success":[256]}"#, "\"success\" is not a list of exit codes"),
        (#"{"run":"x","success":0}"#, "\"success\" has the wrong type"),
        (#"{"run":"x","grace_seconds":-1}"#, "\"grace_seconds\""),
        ("[]", "not a map"),
        ("", "not a map"),
    ])
    func `bad settings are refused with a sentence`(json: String, finding: String) {
        let error = #expect(throws: CommandError.self) { try CommandSettings(json: json) }
        #expect(error?.description.contains(finding) == true, "\(String(describing: error))")
    }
}
