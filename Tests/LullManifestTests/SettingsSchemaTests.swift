import Foundation
import LullModel
import Testing

@testable import LullManifest

/// A plugin's schema of its settings, and the diagnostics of those settings in a manifest.
struct SettingsSchemaTests {
    private static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func schema(_ task: String, more: String = "") throws -> SettingsSchema {
        try SettingsSchema(value(#"{"lull_settings":1,\#(more)"task":\#(task)}"#))
    }

    private static let jobs = #"""
        {
          "type": "object", "additionalProperties": false, "required": ["run"],
          "properties": {
            "run": {
              "description": "The command.", "examples": ["backup --all"],
              "anyOf": [{ "type": "string", "format": "command" }, { "type": "array", "minItems": 1, "items": { "type": "string" } }]
            },
            "level": { "enum": ["low", "high"] },
            "strict": { "enum": [true, false, "auto"] },
            "keep": { "type": "integer", "minimum": 1, "maximum": 9 },
            "every": { "type": "string", "format": "duration" },
            "room": { "type": "string", "format": "size" },
            "name": { "type": "string", "pattern": "^[a-z]+$", "description": "Lower-case letters" },
            "env": { "type": "object", "propertyNames": { "pattern": "^[A-Z]+$", "description": "capital letters" } },
            "list": { "type": "array", "items": { "type": "object", "required": ["path"], "additionalProperties": false, "properties": { "path": { "type": "string", "minLength": 1 } } } }
          }
        }
        """#

    @Test(arguments: [
        (#"{"rum":"x"}"#, "unknown setting 'rum'", "did you mean `run`?"),
        (
            #"{"run":"x","zzzzzz":1}"#, "unknown setting 'zzzzzz'",
            "take it out; there are `env`, `every`, `keep`, `level`, `list`, `name`, `room`, `run`, `strict`"
        ),
        ("{}", "the setting 'run' is missing (the command)", "write, for example, `run: backup --all`"),
        (
            #"{"run":5}"#, "`run` takes a list or text, not 5",
            "put it in quotes if it is meant as text: `run: \"5\"`; or write, for example, `run: backup --all`"
        ),
        (
            #"{"run":{}}"#, "`run` takes a list or text, not keys and values",
            "write, for example, `run: backup --all`"
        ),
        (#"{"run":" "}"#, "`run` is empty", "write, for example, `run: backup --all`"),
        (#"{"run":[]}"#, "`run` is an empty list", "name at least one"),
        (
            #"{"run":["a",1]}"#, "item 2 of `run` takes text, not 1",
            "put it in quotes if it is meant as text: `\"1\"`"
        ),
        (#"{"run":"x","level":"hihg"}"#, "`level` must be low or high, not 'hihg'", "did you mean `high`?"),
        (
            #"{"run":"x","strict":"true"}"#, "`strict` must be true, false or auto, not 'true'",
            "write `true` without quotes"
        ),
        (#"{"run":"x","keep":10}"#, "`keep` must be from 1 to 9, not 10", "write a number from 1 to 9"),
        (#"{"run":"x","keep":"3"}"#, "`keep` takes a whole number, not the text '3'", "write a whole number"),
        (
            #"{"run":"x","every":"15 min"}"#, "`every` takes a duration, not '15 min'",
            "write, for example, `every: 15m`"
        ),
        (#"{"run":"x","room":"1GB"}"#, "`room` takes a size, not '1GB'", "write, for example, `room: 64KiB`"),
        (#"{"run":"x","name":"A1"}"#, "`name` can't be 'A1'", "correct it: it is lower-case letters"),
        (#"{"run":"x","env":{"a":1}}"#, "'a' can't be a name in `env`", "write capital letters"),
        (
            #"{"run":"x","list":[{"pth":"x"}]}"#, "unknown setting 'pth' in item 1 of `list`",
            "did you mean `path`?"
        ),
        (
            #"{"run":"x","list":[{"path":""}]}"#, "`path` of item 1 of `list` is empty",
            "write something there, or take it out"
        ),
    ])
    func `each slip has its sentence and remedy`(settings: String, message: String, fix: String) throws {
        let faults = try Self.schema(Self.jobs).faults(ofTask: Self.value(settings), in: .object([:]))
        let found = try #require(faults.first, "nothing is wrong")
        #expect(faults.count == 1)
        #expect(found.message == message)
        #expect(found.fix == fix)
    }

    @Test func `all of them are told at once`() throws {
        let faults = try Self.schema(Self.jobs).faults(
            ofTask: Self.value(#"{"keep":0,"level":"x","more":1}"#), in: .object([:]))
        #expect(faults.map(\.path) == [[], ["keep"], ["level"], ["more"]])
    }

    @Test func `a task's settings over its app's are judged as the plugin sees them, each slip once`() throws
    {
        let schema = try Self.schema(Self.jobs, more: #""task_over_app":true,"#)
        let app = try Self.value(#"{"run":"x","keep":0,"env":{"A":1}}"#)
        #expect(schema.faults(ofApp: app).map(\.path) == [["keep"]])
        #expect(schema.faults(ofTask: .object([:]), in: app).isEmpty)
        #expect(
            schema.faults(ofTask: try Self.value(#"{"env":{"b":1}}"#), in: app).map(\.path) == [["env", "b"]])
        // Without the app's settings the task lacks one; an app alone must have none.
        #expect(schema.faults(ofTask: .object([:]), in: .object([:])).first?.isMissing == true)
        #expect(schema.faults(ofApp: .object([:])).isEmpty)
    }

    @Test(arguments: [
        ("[]", "it is not an object"), ("{}", "it is not of version 1, which this lull reads"),
        (#"{"lull_settings":2}"#, "it is not of version 1, which this lull reads"),
        (#"{"lull_settings":1,"tasks":{}}"#, "it has the unknown keyword 'tasks'"),
        (#"{"lull_settings":1,"task":{"$ref":"x"}}"#, "`/task` has the unknown keyword '$ref'"),
        (#"{"lull_settings":1,"task":{"type":"text"}}"#, "`/task/type` is not object, array,"),
        (#"{"lull_settings":1,"task":{"format":"uri"}}"#, "`/task/format` is the unknown format 'uri'"),
        (
            #"{"lull_settings":1,"task":{"pattern":"("}}"#,
            "`/task/pattern` is not a POSIX extended regular expression"
        ),
        (#"{"lull_settings":1,"task":{"minItems":-1}}"#, "`/task/minItems` is not a whole number from 0"),
        (#"{"lull_settings":1,"task":{"anyOf":[]}}"#, "`/task/anyOf` is not a list of schemas"),
        (
            #"{"lull_settings":1,"task":{"type":"object","additionalProperties":false,"required":["a"]}}"#,
            "`/task/required` names 'a', which `properties` does not have"
        ),
    ])
    func `a schema that is wrong is named`(document: String, words: String) throws {
        let value = try Self.value(document)
        do throws(SettingsSchemaFault) {
            _ = try SettingsSchema(value)
            Issue.record("it is accepted")
        } catch {
            #expect(error.message.hasPrefix(words), "\(error.message)")
            #expect(!error.fix.isEmpty)
        }
    }

    @Test func `a schema that nests without end is refused, not followed`() throws {
        let deep = String(repeating: #"{"items":"#, count: 40) + "{}" + String(repeating: "}", count: 40)
        #expect(throws: SettingsSchemaFault.self) { try Self.schema(deep) }
    }

    @Test func `programs and folders are found among settings`() throws {
        let schema = try Self.schema(
            #"{"properties":{"run":{"anyOf":[{"type":"string","format":"command"},{"type":"array","format":"program"}]},"cwd":{"format":"folder"}}}"#
        )
        let claims = schema.claims(ofTask: try Self.value(#"{"run":["rsync","-a"],"cwd":"/srv"}"#))
        #expect(
            claims == [
                SettingClaim(path: ["cwd"], format: .folder, text: "/srv"),
                SettingClaim(path: ["run", "0"], format: .program, text: "rsync"),
            ])
        #expect(schema.claims(ofTask: try Self.value(#"{"run":"df -h"}"#)).map(\.format) == [.command])
    }

    @Test func `an editor's schema has the settings of each plugin under its name`() throws {
        let schema = ManifestSchema.json(with: [
            "Jobs": try Self.schema(Self.jobs, more: #""task_over_app":true,"#)
        ])
        guard case .object(let root) = schema, case .object(let definitions)? = root["definitions"],
            case .object(let app)? = definitions["app"], case .array(let conditions)? = app["allOf"]
        else {
            Issue.record("there is no condition")
            return
        }
        let text = try #require(conditions.first).text
        #expect(conditions.count == 1)
        #expect(
            text.contains(
                #""if":{"properties":{"plugin":{"pattern":"(^|/)(lib)?Jobs(\\.so)?$"}},"required":["plugin"]}"#
            ))
        #expect(text.contains(#""level":{"enum":["low","high"]}"#))
        // A setting that the app may supply is not required of a task.
        #expect(!text.contains(#""required":["run"]"#))
        #expect(ManifestSchema.json(with: [:]) == ManifestSchema.json)
    }

    @Test func `a command of the app Command may take a day, other processing ten minutes`() throws {
        var machine = machine
        machine.entries["/usr/lib/lull/libCommand.so"] = FileEntry(
            .file, realPath: "/usr/lib/lull/libCommand.so")
        func limits(_ plugin: String, _ more: String = "") -> [Duration?] {
            let text = """
                version: 1
                apps:
                  com.example.A:
                    plugin: \(plugin)
                    idle_after: never
                    tasks:
                      a: { kind: processing\(more) }
                      b: { kind: refresh }
                """
            return read(Array(text.utf8), on: machine).manifest?.tasks.map(\.timeLimit) ?? []
        }
        #expect(limits("Command") == [.days(1), .seconds(30)])
        #expect(limits("/usr/lib/lull/libCommand.so") == [.days(1), .seconds(30)])
        #expect(limits("Command", ", time_limit: 5m") == [.minutes(5), .seconds(30)])
        #expect(limits("ColorFeed") == [.minutes(10), .seconds(30)])
    }
}
