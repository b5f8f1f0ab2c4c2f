import Foundation
import LullModel
import Testing

@testable import LullManifest

/// A remedy for something other than one manifest's text, and the one that is left once it is followed.
struct Deed: Sendable, CustomTestStringConvertible {
    let name: String
    let said: @Sendable () throws -> String?
    /// Nil, if the remedy is right.
    let left: @Sendable () throws -> String?

    var testDescription: String { name }

    static let all = includes + files + settings + schemas + calendars + [pluginPath]

    private static let pluginPath = Deed(
        name: "no plugin path", said: { planned("Feed") }, left: { planned("./mine.so") })

    private static func planned(_ plugin: String) -> String? {
        let app = "{ plugin: \(plugin), usage: manual, tasks: { r: { kind: refresh } } }"
        return ManifestReader(pluginPath: [], fileSystem: machine, zoneFolder: "/zones")
            .read(text: Array("version: 1\napps:\n  com.example.A: \(app)\n".utf8), path: "jobs.yaml")
            .diagnostics.first?.fix
    }

    // MARK: Files that are included

    private static func include(
        _ pattern: String, _ follow: String, before: [String: Stranger?] = [:],
        after: [String: Stranger?] = [:],
        files: [String] = []
    ) -> Deed {
        Deed(
            name: pattern, said: { including(pattern, folders: before, files: files) },
            left: { including(follow, folders: after, files: files) })
    }

    private static func including(_ pattern: String, folders: [String: Stranger?], files: [String]) -> String?
    {
        var machine = machine
        let app = "tasks: { r: { kind: refresh } }"
        func text(_ name: String) -> String {
            "version: 1\napps:\n  com.example.\(name): { plugin: ColorFeed, usage: manual, \(app) }\n"
        }
        machine.texts["/home/me/jobs.yaml"] = text("A").replacing(
            "version: 1\n", with: "version: 1\ninclude: [\"\(pattern)\"]\n")
        machine.entries["/home/me"] = FileEntry(.folder, realPath: "/home/me")
        for (folder, stranger) in folders {
            let path = "/home/me/" + folder
            machine.entries[path] = FileEntry(.folder, realPath: path, stranger: stranger)
        }
        for (index, name) in files.enumerated() {
            machine.texts["/home/me/" + name] = text("B\(index)")
        }
        for path in machine.texts.keys {
            machine.entries[path] = FileEntry(.file, realPath: path)
            let folder = Path.folder(of: path)
            machine.entries[folder] = machine.entries[folder] ?? FileEntry(.folder, realPath: folder)
        }
        return ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: machine, zoneFolder: "/zones")
            .read(path: "jobs.yaml").diagnostics.first?.fix
    }

    private static let includes = [
        include("open/", "jobs.d/*.yaml"),
        include("*/a.yaml", "more/*.yaml", after: ["more": nil]),
        include("jobs.d", "jobs.d/*.yaml"),
        include("jobs.yaml", "jobs.d/*.yaml"),
        include("mor.yaml", "more.yaml", files: ["more.yaml"]),
        include("zzzzz.yaml", "more.yaml", files: ["more.yaml"]),
        include("new.d/*.yaml", "new.d/*.yaml", after: ["new.d": nil]),
        include("open/*.yaml", "open/*.yaml", before: ["open": .everybody], after: ["open": nil]),
        include("hers/*.yaml", "jobs.d/*.yaml", before: ["hers": .owner("feed")]),
        include("many/*.yaml", "many/1*.yaml", files: (0...Limits.manifestFiles).map { "many/\($0).yaml" }),
    ]

    // MARK: The manifest's own file

    private static let text =
        "version: 1\napps:\n  com.example.A: { plugin: ./a.so, usage: manual, tasks: { r: { kind: refresh } } }\n"

    /// The remedy for the file at the path from `prepare`, and then for the one at the path from `follow`.
    private static func file(
        _ name: String, _ prepare: @escaping @Sendable (String) throws -> String,
        _ follow: @escaping @Sendable (String, String) throws -> String
    ) -> Deed {
        let fix = { @Sendable (isFollowed: Bool) throws -> String? in
            var template = Array((NSTemporaryDirectory() + "/lull-deed-XXXXXX").utf8CString)
            try #require(mkdtemp(&template) != nil)
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data().write(to: URL(fileURLWithPath: folder + "/a.so"))
            var path = try prepare(folder)
            if isFollowed { path = try follow(folder, path) }
            return ManifestReader(pluginPath: [folder]).read(path: path).diagnostics.first?.fix
        }
        return Deed(name: name, said: { try fix(false) }, left: { try fix(true) })
    }

    @Sendable private static func write(_ folder: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        return folder + "/" + name
    }

    private static let files = [
        file("a folder", { $0 }, { folder, _ in try write(folder, "jobs.yaml") }),
        file("no file", { $0 + "/zzzzzz" }, { folder, _ in try write(folder, "jobs.yaml") }),
        file(
            "another name",
            {
                _ = try write($0, "jobs.yml")
                return $0 + "/jobs.yaml"
            }, { folder, _ in folder + "/jobs.yml" }),
        file(
            "a pipe",
            {
                try #require(mkfifo($0 + "/pipe", 0o600) == 0)
                return $0 + "/pipe"
            }, { folder, _ in try write(folder, "jobs.yaml") }),
        file(
            "everybody's",
            {
                let path = try write($0, "jobs.yaml")
                try #require(chmod(path, 0o666) == 0)
                return path
            },
            { _, path in
                try #require(chmod(path, 0o664 & ~0o020) == 0)
                return path
            }),
        file(
            "in a folder that is everybody's",
            {
                let path = try write($0, "jobs.yaml")
                try #require(chmod($0, 0o777) == 0)
                return path
            },
            { folder, path in
                try #require(chmod(folder, 0o755) == 0)
                return path
            }),
        file(
            "too large",
            {
                let path = try write($0, "jobs.yaml")
                try #require(truncate(path, off_t(Limits.manifestBytes + 1)) == 0)
                return path
            }, { folder, _ in try write(folder, "jobs.yaml") }),
    ]

    // MARK: Settings, and the schemas that plugins declare of them

    private static let jobs = #"""
        {"lull_settings":1,"task":{"type":"object","additionalProperties":false,"required":["run"],"properties":{
        "run":{"examples":["backup --all"],"anyOf":[{"type":"string","format":"command"},{"type":"array","minItems":1,"items":{"type":"string"}}]},
        "level":{"enum":["low","high"]},"strict":{"enum":[true,false,"auto"]},"keep":{"type":"integer","minimum":1,"maximum":9},
        "every":{"type":"string","format":"duration"},"name":{"type":"string","pattern":"^[a-z]+$","description":"Lower-case letters"},
        "code":{"type":"string","pattern":"^[a-z]+$"},"bare":{"type":"object","additionalProperties":false},
        "text":{"type":"string","examples":["x"]},"short":{"type":"string","maxLength":3},
        "env":{"type":"object","propertyNames":{"pattern":"^[A-Z]+$","description":"capital letters"}},
        "raw":{"type":"object","propertyNames":{"pattern":"^[A-Z]+$"}},"must":{"type":"object","required":["a"]},
        "one":{"oneOf":[{"type":"integer"},{"type":"number"}]}}}}
        """#

    private static func setting(_ members: String, _ follow: String) -> Deed {
        @Sendable func fix(_ members: String) throws -> String? {
            let value = { (text: String) in try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
            let schema = try SettingsSchema(value(jobs))
            return schema.faults(ofTask: try value("{\(members)}"), in: .object([:])).first?.fix
        }
        return Deed(name: members, said: { try fix(members) }, left: { try fix(follow) })
    }

    private static let settings = [
        setting(#""rum":"x""#, #""run":"x""#), setting(#""run":"x","zzzzzz":1"#, #""run":"x","keep":1"#),
        setting(#""run":"x","bare":{"a":1}"#, #""run":"x","bare":{}"#),
        setting("", #""run":"backup --all""#), setting(#""run":"x","must":{}"#, #""run":"x","must":{"a":1}"#),
        setting(#""run":5"#, #""run":"5""#), setting(#""run":5"#, #""run":"backup --all""#),
        setting(#""run":["a",1]"#, #""run":["a","1"]"#), setting(#""run":{}"#, #""run":"backup --all""#),
        setting(#""run":"x","keep":"3""#, #""run":"x","keep":3"#),
        setting(#""run":"x","level":"hihg""#, #""run":"x","level":"high""#),
        setting(#""run":"x","level":"zzzz""#, #""run":"x","level":"low""#),
        setting(#""run":"x","strict":"true""#, #""run":"x","strict":true"#),
        setting(#""run":"x","keep":10"#, #""run":"x","keep":9"#), setting(#""run":[]"#, #""run":["x"]"#),
        setting(#""run":"x","short":"long""#, #""run":"x","short":"l""#),
        setting(#""run":"x","name":"A1""#, #""run":"x","name":"a""#),
        setting(#""run":"x","code":"A1""#, #""run":"x","code":"a""#),
        setting(#""run":"x","env":{"a":1}"#, #""run":"x","env":{"A":1}"#),
        setting(#""run":"x","raw":{"a":1}"#, #""run":"x","raw":{"A":1}"#),
        setting(#""run":"x","every":"15 min""#, #""run":"x","every":"15m""#),
        setting(#""run":" ""#, #""run":"backup --all""#),
        setting(#""run":"x","one":1"#, #""run":"x","one":1.5"#),
    ]

    private static func schema(_ document: String, _ follow: String) -> Deed {
        @Sendable func fix(_ document: String) throws -> String? {
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(document.utf8)) else {
                return SettingsSchemaFault([], .notJSON).fix
            }
            do throws(SettingsSchemaFault) {
                _ = try SettingsSchema(value)
                return nil
            } catch {
                return error.fix
            }
        }
        return Deed(name: document, said: { try fix(document) }, left: { try fix(follow) })
    }

    private static func task(_ schema: String) -> String { #"{"lull_settings":1,"task":\#(schema)}"# }

    private static let schemas = [
        schema("{,}", task("{}")), schema("[]", task(#"{"type":"object","properties":{}}"#)),
        schema(#"{"lull_settings":2}"#, #"{"lull_settings":1}"#),
        schema(#"{"lull_settings":1,"tasks":{}}"#, #"{"lull_settings":1,"task":{}}"#),
        schema(task(#"{"$ref":"x"}"#), task("{}")),
        schema(task(#"{"type":"text"}"#), task(#"{"type":"string"}"#)),
        schema(task(#"{"format":"uri"}"#), task(#"{"format":"path"}"#)),
        schema(task(#"{"pattern":"("}"#), task(#"{"description":"no bracket"}"#)),
        schema(task(#"{"anyOf":[{}],"oneOf":[{}]}"#), task(#"{"anyOf":[{}]}"#)),
        schema(
            task(#"{"type":"object","additionalProperties":false,"required":["a"],"properties":{"b":{}}}"#),
            task(#"{"type":"object","additionalProperties":false,"required":["b"],"properties":{"b":{}}}"#)),
        schema(
            task(String(repeating: #"{"items":"#, count: 40) + "{}" + String(repeating: "}", count: 40)),
            task(#"{"items":{}}"#)),
    ]
}
