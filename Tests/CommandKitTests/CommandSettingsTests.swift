import CCommandKit
import Glibc
import Testing

/// A task's settings as they were read, or the sentence that refuses them.
struct ReadSettings {
    var arguments: [String] = []
    var isForShell = false
    var shell = ""
    var environment: [String: String] = [:]
    var folder: String?
    var input: String?
    var success: [Int] = []
    var grace: Duration = .zero
    var refusal: String?

    init(_ json: String, app: String = "{}") {
        let common = command_app_settings_read(app)
        defer { command_app_settings_free(common) }
        var settings = command_settings()
        if let sentence = command_settings_read(&settings, json, common) {
            refusal = String(cString: sentence)
            free(sentence)
            return
        }
        var next = settings.arguments
        while let argument = next?.pointee {
            arguments.append(String(cString: argument))
            next = next?.advanced(by: 1)
        }
        isForShell = settings.is_for_shell
        shell = settings.shell.map { String(cString: $0) } ?? ""
        for index in 0..<settings.variable_count {
            guard let name = settings.variables[index].name, let value = settings.variables[index].value
            else { continue }
            environment[String(cString: name)] = String(cString: value)
        }
        folder = settings.folder.map { String(cString: $0) }
        input = settings.input.map { String(cString: $0) }
        withUnsafeBytes(of: settings.is_success) { flags in success = flags.indices.filter { flags[$0] != 0 }
        }
        grace = .nanoseconds(settings.grace_ns)
        command_settings_free(&settings)
    }
}

@Suite struct CommandSettingsTests {
    @Test func `a text is for the shell and a list is not`() {
        #expect(ReadSettings(#"{"run":"a | b"}"#).arguments == ["/bin/sh", "-c", "a | b"])
        let list = ReadSettings(#"{"run":["a","b c",3]}"#)
        #expect(list.arguments == ["a", "b c", "3"] && !list.isForShell)
    }

    @Test func `defaults are those of the documentation`() {
        let settings = ReadSettings(#"{"run":"true"}"#)
        #expect(settings.shell == "/bin/sh")
        #expect(settings.success == [0])
        #expect(settings.grace == .seconds(3))
        #expect(settings.folder == nil)
        #expect(settings.input == nil)
    }

    @Test func `every key is read`() {
        let json = """
            {"run":"x","shell":"/bin/bash","env":{"A":"1","B":2,"C":true},"cwd":"/tmp","stdin":"text",
             "success":[0,24],"grace_seconds":0.5}
            """
        let settings = ReadSettings(json)
        #expect(settings.shell == "/bin/bash" && settings.arguments.first == "/bin/bash")
        #expect(settings.environment == ["A": "1", "B": "2", "C": "true"])
        #expect(settings.folder == "/tmp")
        #expect(settings.input == "text")
        #expect(settings.success == [0, 24])
        #expect(settings.grace == .milliseconds(500))
    }

    @Test func `a text is read as JSON means it`() {
        let settings = ReadSettings(#"{"run":"a\"\\\/\n\t\u00e9\ud83d\ude00é"}"#)
        #expect(settings.arguments.last == "a\"\\/\n\té😀é")
    }

    @Test func `what the app says holds for a task that does not say otherwise`() {
        let app = #"{"lull":{"permitted":[]},"shell":"/bin/bash","cwd":"~","env":{"A":"1","B":"2"}}"#
        let settings = ReadSettings(#"{"run":"x","env":{"B":"3"}}"#, app: app)
        #expect(settings.shell == "/bin/bash")
        #expect(settings.folder == "~")
        #expect(settings.environment == ["A": "1", "B": "3"])
        let own = ReadSettings(#"{"run":"x","shell":"/bin/sh","cwd":"/"}"#, app: app)
        #expect(own.shell == "/bin/sh")
        #expect(own.folder == "/")
        #expect(
            ReadSettings(#"{"run":"x"}"#, app: #"{"shel":"/bin/sh"}"#).refusal
                == "settings of the task: unknown key \"shel\". "
                + "Known are run, shell, env, env_file, secrets, cwd, stdin, success, grace_seconds.")
    }

    @Test(arguments: [
        "{", "{\"run\"", #"{"run":"x"#, #"{"run":"x"}}"#, #"{"run":"x",}"#, #"{"run":01}"#, #"{"run":"\x"}"#,
        #"{"run":"\ud800"}"#, #"{"run":"\u12"}"#, #"{"run":tru}"#, #"{"run":["a",]}"#, #"{"run":"a" "b"}"#,
        "\\", "\"",
        String(repeating: "[", count: 100_000),
    ])
    func `what is no JSON is refused`(_ json: String) {
        #expect(ReadSettings(json).refusal == "settings of the task: they are not a map of keys to values.")
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
        (#"{"run":"x","env_file":""}"#, "\"env_file\" names no file"),
        (#"{"run":"x","env_file":["/a","-"]}"#, "\"env_file\" names no file"),
        (#"{"run":"x","env_file":{"A":"/a"}}"#, "\"env_file\" has the wrong type"),
        (#"{"run":"x","env_file":[1]}"#, "\"env_file\" has the wrong type"),
        (#"{"run":"x","env_file":"/a\u0000b"}"#, "\"env_file\" holds a NUL"),
        (#"{"run":"x","secrets":["a"]}"#, "\"secrets\" has the wrong type"),
        (#"{"run":"x","secrets":{"a":"/a"}}"#, "\"secrets\" has the wrong type"),
        (#"{"run":"x","secrets":{"a":{}}}"#, "secret \"a\" has neither a file nor a command"),
        (#"{"run":"x","secrets":{"a":{"file":"/a","command":"b"}}}"#, "\"a\" has both a file and a command"),
        (#"{"run":"x","secrets":{"a":{"file":""}}}"#, "\"file\" of secret \"a\" is not a path"),
        (#"{"run":"x","secrets":{"a":{"file":"/a\u0000"}}}"#, "\"file\" of secret \"a\" is not a path"),
        (#"{"run":"x","secrets":{"a":{"command":" "}}}"#, "\"command\" of secret \"a\" is not a command"),
        (#"{"run":"x","secrets":{"a":{"file":"/a","env":true}}}"#, "\"env\" of secret \"a\" is not the name"),
        (
            #"{"run":"x","secrets":{"a":{"file":"/a","env":"A-B"}}}"#,
            "\"env\" of secret \"a\" is not the name"
        ),
        (#"{"run":"x","secrets":{"a":{"flie":"/a"}}}"#, "\"a\" has an unknown key \"flie\""),
        (#"{"run":"x","secrets":{"a/b":{"file":"/a"}}}"#, "\"a/b\", which can't be the name of a secret"),
        (#"{"run":"x","secrets":{"..":{"file":"/a"}}}"#, "\"..\", which can't be the name of a secret"),
        (
            #"{"run":"x","secrets":{"a":{"file":"/a","env":"X"},"b":{"file":"/b","env":"X"}}}"#,
            "secrets \"a\" and \"b\" are both in the variable X"
        ),
        (
            #"{"run":"x","secrets":{"a":{"file":"/a","env":"CREDENTIALS_DIRECTORY"}}}"#,
            "secret \"a\" can't be in CREDENTIALS_DIRECTORY"
        ),
        (
            #"{"run":"x","env":{"CREDENTIALS_DIRECTORY":"/"},"secrets":{"a":{"file":"/a"}}}"#,
            "\"env\" sets CREDENTIALS_DIRECTORY"
        ),
        (#"{"run":"x","success":[]}"#, "\"success\" is not a list of exit codes"),
        (#"{"run":"x","success":[256]}"#, "\"success\" is not a list of exit codes"),
        (#"{"run":"x","success":0}"#, "\"success\" has the wrong type"),
        (#"{"run":"x","grace_seconds":-1}"#, "\"grace_seconds\""),
        ("[]", "not a map"),
        ("", "not a map"),
    ])
    func `bad settings are refused with a sentence`(json: String, finding: String) {
        let refusal = ReadSettings(json).refusal
        #expect(refusal?.contains(finding) == true, "\(refusal ?? "it was taken")")
    }
}
