import LullModel
import Testing

@testable import LullHost

struct StateFolderTests {
    @Test(arguments: [
        (option: "/a/b", environment: ["LULL_STATE": "/c"], isRoot: true, path: "/a/b"),
        (option: nil, environment: ["LULL_STATE": "/c"], isRoot: true, path: "/c"),
        (option: nil, environment: ["HOME": "/home/u"], isRoot: true, path: "/var/lib/lull"),
        (
            option: nil, environment: ["XDG_STATE_HOME": "/x", "HOME": "/home/u"], isRoot: false,
            path: "/x/lull"
        ),
        (
            option: nil, environment: ["XDG_STATE_HOME": "x", "HOME": "/home/u"], isRoot: false,
            path: "/home/u/.local/state/lull"
        ),
    ])
    func `the state is where it was said, or where the system keeps such things`(
        option: String?, environment: [String: String], isRoot: Bool, path: String
    ) {
        #expect(StateFolder(option: option, environment: environment, isRoot: isRoot).path == path)
    }
}

struct SentencesTests {
    @Test func `a misspelt task is told the nearest name`() throws {
        let app = try #require(AppIdentifier("com.example.App"))
        var entry = App(identifier: app, plugin: "/p.so")
        let task = try #require(TaskIdentifier("refresh", of: app))
        entry.tasks = [TaskDefinition(identifier: task, app: app, kind: .refresh)]
        let manifest = Manifest(path: "jobs.yaml", apps: [entry])
        let near = try #require(TaskIdentifier("com.example.App.refrsh"))
        #expect(
            Sentences.unknownTask(near, manifest)
                == "No task com.example.App.refrsh in jobs.yaml. Did you mean com.example.App.refresh?")
        let far = try #require(AppIdentifier("org.other"))
        #expect(
            Sentences.unknownApp(far, manifest)
                == "No app org.other in jobs.yaml. Its apps are com.example.App.")
    }
}
