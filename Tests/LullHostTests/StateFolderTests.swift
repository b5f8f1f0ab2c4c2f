import Foundation
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

/// An app's own folder, and its owner.
struct AppFolderTests {
    private final class Desk {
        let state = StateFolder(
            option: FileManager.default.temporaryDirectory.appendingPathComponent("lull-\(UUID().uuidString)")
                .path,
            environment: [:], isRoot: false)
        var folder: String { state.appFolder("com.example.App") }

        init() throws { try state.create() }
        deinit { try? FileManager.default.removeItem(atPath: state.path) }

        func mode(_ name: String) -> mode_t? {
            var status = stat()
            return lstat(state.path + name, &status) == 0 ? status.st_mode & 0o7777 : nil
        }
    }

    @Test(arguments: [
        (owner: 0, host: 0, user: 0, isStrange: false), (owner: 0, host: 0, user: 1000, isStrange: false),
        (owner: 1000, host: 0, user: 1000, isStrange: false),
        (owner: 1000, host: 0, user: 0, isStrange: true),
        (owner: 1000, host: 0, user: 1001, isStrange: true),
        (owner: 1000, host: 1000, user: 1000, isStrange: false),
        (owner: 0, host: 1000, user: 1000, isStrange: true),
    ])
    func `what somebody else had is no folder for an app`(
        owner: uid_t, host: uid_t, user: uid_t, isStrange: Bool
    ) {
        #expect(StateFolder.isStrange(owner: owner, host: host, for: user) == isStrange)
    }

    @Test(.enabled(if: geteuid() == 0 && getpwnam("nobody") != nil, "needs root"))
    func `an app that leaves its user does not run as root among that user's files`() throws {
        let desk = try Desk()
        let path = desk.state.path
        try FileManager.default.createDirectory(
            atPath: path + "/history.salvage", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link", withDestinationPath: path + "/apps")
        try "x".write(toFile: path + "/history.sqlite", atomically: false, encoding: .utf8)
        func make(for user: String = "host") -> String? {
            guard let name = AppIdentifier("com.example.App") else { return "no identifier" }
            var app = App(identifier: name, plugin: "/plugin.so")
            app.user = user
            return desk.state.createAppFolder(
                "com.example.App", StartSight.look(at: app, folder: desk.folder))
        }
        #expect(make() == nil)
        #expect(make(for: "nobody") == nil)
        #expect(desk.mode("") == 0o711)
        #expect(desk.mode("/apps") == 0o711)
        #expect(desk.mode("/history.sqlite") == 0o600)
        // Folders keep their owner's execute bit.
        #expect(desk.mode("/history.salvage").map { $0 & 0o100 } == 0o100)
        #expect(make(for: "nobody") == nil)
        let refusal = try #require(make())
        #expect(refusal.contains("belongs to 'nobody', but the app runs as 'root'"), "\(refusal)")
        #expect(refusal.contains("`user: nobody`") && !refusal.contains("chown"), "\(refusal)")
    }

    /// As the remedy for "Permission denied" says: `user: root` for an app that had an account of its own.
    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `an app that leaves its own account keeps its folder, unless a link is in it`() throws {
        let desk = try Desk()
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        app.user = "host"
        func make() -> String? {
            desk.state.createAppFolder(
                "com.example.App", StartSight.look(at: app, folder: desk.folder))
        }
        let folder = desk.state.appFolder("com.example.App")
        #expect(make() == nil)
        try "x".write(toFile: folder + "/notes", atomically: false, encoding: .utf8)
        // No process runs as that number.
        for path in [folder + "/notes", folder] { #expect(chown(path, 0x7FFF_FF01, 0x7FFF_FF01) == 0) }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/way", withDestinationPath: "/etc")
        let refusal = try #require(make())
        #expect(refusal.contains("way in it is a link, which may lead elsewhere. Delete it"), "\(refusal)")
        try FileManager.default.removeItem(atPath: folder + "/way")
        #expect(make() == nil)
        var status = stat()
        #expect(stat(folder + "/notes", &status) == 0 && status.st_uid == 0)
        #expect(stat(folder, &status) == 0 && status.st_uid == 0)
    }
}

struct SentencesTests {
    @Test func `a denial names the account that an app of root's runs as`() throws {
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/p.so")
        app.line = 3
        let manifest = Manifest(path: "jobs.yaml", apps: [app])
        let own = try #require(Sentences.limits(of: app, in: manifest, account: 0x7000_0001))
        #expect(
            own.contains(
                "com.example.App runs as its own account, 1879048193, not as root; it may write"))
        #expect(
            own.hasSuffix(
                "`user` and `limits` in jobs.yaml, line 3, permit more: `user: NAME`, `write: [FOLDER]`, `privileges: keep`."
            ))
        let users = try #require(Sentences.limits(of: app, in: manifest, account: nil))
        #expect(!users.contains("account"))
        #expect(users.contains("it may use no terminal and no /dev/shm"))
        app.limits.keepsPrivileges = true
        #expect(Sentences.limits(of: app, in: manifest, account: nil) == nil)
    }

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
