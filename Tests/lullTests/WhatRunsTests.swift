import LullManifest
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// What `lull why` says that a task runs, while the manifest's file has an error.
struct WhatRunsTests {
    private let result: ManifestResult

    init() {
        let text = """
            version: 1
            apps:
              com.example.App:
                plugin: Nowhere
                tasks:
                  night: { kind: processing }
                  odd: { kind: procesing }

            """
        result = ManifestReader(pluginPath: []).read(text: Array(text.utf8), path: "jobs.yaml")
    }

    @Test func `of a file with errors what can be read of it is said`() throws {
        #expect(result.manifest == nil)
        let task = try #require(TaskIdentifier("com.example.App.night"))
        let runs = try #require(WhatRuns(of: task, read: result, inForce: nil))
        #expect(
            runs.sentence == "In the manifest: jobs.yaml:6, a file with errors now: `lull check` shows them")
        #expect(runs.place == "jobs.yaml:6")
    }

    @Test func `what can't be read of it stands where the host found it`() throws {
        let task = try #require(TaskIdentifier("com.example.App.odd"))
        #expect(WhatRuns(of: task, read: result, inForce: nil) == nil)
        let app = try #require(AppIdentifier("com.example.App"))
        var definition = TaskDefinition(identifier: task, app: app, kind: .processing)
        definition.line = 9
        var known = App(identifier: app, plugin: "/nowhere.so")
        known.tasks = [definition]
        let inForce = Manifest(path: "/etc/lull/jobs.yaml", apps: [known])
        let runs = try #require(WhatRuns(of: task, read: result, inForce: inForce))
        #expect(runs.sentence.hasPrefix("In the manifest: /etc/lull/jobs.yaml:9, a file with errors now"))
    }
}
