import Foundation
import LullELF
import LullModel
import TestSupport
import Testing

/// What the schema in the plugin's file names is what its code asks for.
@Suite struct SchemaAgreementTests {
    let folder: TemporaryFolder
    let host: FakeHost

    init() async throws {
        folder = try TemporaryFolder()
        host = try await FakeHost(in: folder.path)
    }

    private func declared() throws -> String {
        guard case .declared(let text) = try SettingsDeclaration(of: FileBytes(opening: host.plugin)) else {
            throw FakeHost.Failure(description: "the file declares no settings")
        }
        return text
    }

    /// The names of the settings that it asks for of a task (or with 0 of the app), without what the host adds.
    private func asked(of task: Int, in output: String) -> Set<String> {
        let pointers = output.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ", maxSplits: 2)
            return words.count == 3 && words[0] == "asked" && words[1] == "\(task)" ? words[2] : nil
        }
        let names = pointers.compactMap { $0.split(separator: "/").first.map(String.init) }
        return Set(names.filter { $0 != "lull" })
    }

    @Test func `each key in the schema is read, of the task and of its app, and each key read is in it`()
        async throws
    {
        let schema = try JSONDecoder().decode(JSONValue.self, from: Data(declared().utf8))
        guard case .object(let root) = schema, case .object(let task)? = root["task"],
            case .object(let properties)? = task["properties"]
        else {
            Issue.record("the schema names no settings of tasks")
            return
        }
        // With nothing there, all that might be given is asked for.
        for repositories in [[], [folder.path + "/missing"]] {
            let output = try await host.run(repositories)
            #expect(asked(of: 1, in: output) == Set(properties.keys), "\(output)")
            #expect(asked(of: 0, in: output) == Set(properties.keys), "\(output)")
        }
        // An app's settings hold for its tasks: that is what it reads where the task has none.
        #expect(root["task_over_app"] == .bool(true))
    }

    @Test func `what the schema refuses would not be fetched`() throws {
        let declared = try DeclaredSettings(declared())
        #expect(try declared.faults(ofTask: #"{"repositories":["/srv/a"]}"#).isEmpty)
        for wrong in [
            "{}", #"{"repositories":[]}"#, #"{"repositories":"/srv/a"}"#, #"{"repositories":[5]}"#,
            #"{"repositories":[""]}"#, #"{"repository":["/srv/a"]}"#,
        ] {
            #expect(try !declared.faults(ofTask: wrong).isEmpty, "\(wrong)")
        }
    }
}
