import Foundation
import LullHistory
import LullModel
import Testing

@testable import LullHost

/// A state folder that an attacker has prepared.
struct StateContentsTests {
    private final class Desk {
        let state: StateFolder
        let precious: String

        init() throws {
            let base = FileManager.default.temporaryDirectory.appendingPathComponent(
                "lull-\(UUID().uuidString)"
            ).path
            state = StateFolder(option: base + "/state", environment: [:], isRoot: false)
            precious = base + "/precious"
            try state.create()
            try "precious".write(toFile: precious, atomically: false, encoding: .utf8)
        }

        deinit {
            try? FileManager.default.removeItem(
                at: URL(fileURLWithPath: state.path).deletingLastPathComponent())
        }

        var preciousText: String? { try? String(contentsOfFile: precious, encoding: .utf8) }

        /// The sentence with which the host refuses it.
        func refusal(isWritten: Bool = false) -> String? {
            do {
                try state.check(isWritten: isWritten)
                return nil
            } catch {
                return error.message
            }
        }
    }

    static let names = [
        "lock", "seen", "seen.new", "passes.new", "manifest", "manifest.json", "manifest.json.new",
        "history.sqlite",
        "history.sqlite-wal", "history.sqlite-shm", "usage.positions.new", "http-token", "control.sock",
        "apps",
        "whatever",
    ]

    @Test(arguments: names)
    func `a link in it is followed by nobody`(name: String) throws {
        let desk = try Desk()
        let path = desk.state.path + "/" + name
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: desk.precious)
        for isWritten in [false, true] {
            let refusal = try #require(desk.refusal(isWritten: isWritten))
            #expect(
                refusal.contains("'\(name)' in it is a link") && refusal.contains("rm -r \(path)"),
                "\(refusal)")
        }
        #expect(desk.preciousText == "precious")
    }

    @Test(arguments: names)
    func `a pipe in it keeps nobody waiting`(name: String) throws {
        let desk = try Desk()
        try #require(mkfifo(desk.state.path + "/" + name, 0o600) == 0)
        #expect(try #require(desk.refusal()).contains("'\(name)' in it is a pipe"))
    }

    @Test func `a folder where a file is to be is named`() throws {
        for name in Self.names where name != "apps" && name != "whatever" {
            let desk = try Desk()
            try FileManager.default.createDirectory(
                atPath: desk.state.path + "/" + name, withIntermediateDirectories: false)
            #expect(try #require(desk.refusal()).contains("'\(name)' in it is a folder"), "\(name)")
        }
    }

    @Test(arguments: [
        (0o777, "every user of this machine", "o-w"), (0o1777, "every user of this machine", "o-w"),
    ])
    func `one that others can write is refused with the remedy`(mode: mode_t, who: String, fix: String) throws
    {
        let desk = try Desk()
        try #require(chmod(desk.state.path, mode) == 0)
        let refusal = try #require(desk.refusal())
        #expect(refusal.contains(who) && refusal.contains("`chmod \(fix) \(desk.state.path)`"), "\(refusal)")
        #expect(throws: HostError.self) { try desk.state.create() }
    }

    @Test func `a file in it that others can write is refused, and a socket is not`() throws {
        let desk = try Desk()
        let path = desk.state.path + "/history.sqlite"
        try "x".write(toFile: path, atomically: false, encoding: .utf8)
        try #require(chmod(path, 0o666) == 0)
        #expect(try #require(desk.refusal()).contains("can write the file '\(path)'"))
        try #require(chmod(path, 0o644) == 0)
        #expect(desk.refusal() == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `another user's folder root may read and not write`() throws {
        let desk = try Desk()
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try "x".write(toFile: desk.state.path + "/seen", atomically: false, encoding: .utf8)
        try #require(chown(desk.state.path + "/seen", nobody, 0) == 0)
        #expect(try #require(desk.refusal()).contains("'\(desk.state.path)/seen' belongs to 'nobody'"))
        try #require(chown(desk.state.path, nobody, 0) == 0)
        #expect(desk.refusal() == nil)
        #expect(try #require(desk.refusal(isWritten: true)).contains("belongs to 'nobody'"))
    }

    @Test func `a link of the owner's that leads to it is one to go through`() throws {
        let desk = try Desk()
        let link = desk.precious + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: desk.state.path)
        let state = StateFolder(option: link, environment: [:], isRoot: false)
        try state.create()
        state.remember(manifest: "/jobs.yaml")
        #expect(desk.state.lastManifest == "/jobs.yaml")
    }

    /// As if the link had been made after the check of the folder.
    @Test func `what is written replaces a link and what is read passes one over`() throws {
        let desk = try Desk()
        let own = try OwnFolder(desk.state.path)
        for name in ["seen", "seen.new"] {
            try FileManager.default.createSymbolicLink(
                atPath: desk.state.path + "/" + name, withDestinationPath: desk.precious)
        }
        #expect(own.read("seen") == nil)
        try own.write(Array("mine".utf8), to: "seen")
        #expect(own.read("seen") == Array("mine".utf8))
        let status = try #require(own.status(of: "seen"))
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(desk.preciousText == "precious")
        own.close(toOthers: "seen")
        try FileManager.default.createSymbolicLink(
            atPath: desk.state.path + "/apps", withDestinationPath: "/etc")
        let before = try FileManager.default.attributesOfItem(atPath: "/etc")[.posixPermissions] as? Int
        let app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        let refusal = desk.state.createAppFolder(
            app.identifier.text, StartSight.look(at: app, folder: ""))
        #expect(try #require(refusal).contains("not a folder; move it away"))
        #expect(!FileManager.default.fileExists(atPath: "/etc/com.example.App"))
        #expect(try FileManager.default.attributesOfItem(atPath: "/etc")[.posixPermissions] as? Int == before)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives folders away"))
    func `an app's folder that is a link is given to nobody`() throws {
        let desk = try Desk()
        let victim = desk.precious + ".d"
        for folder in [victim, desk.state.path + "/apps"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(
            atPath: desk.state.path + "/apps/com.example.App", withDestinationPath: victim)
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        app.user = "nobody"
        let refusal = desk.state.createAppFolder(
            app.identifier.text,
            StartSight.look(at: app, folder: desk.state.appFolder("com.example.App")))
        #expect(try #require(refusal).contains("not a folder; move it away"))
        var status = stat()
        #expect(stat(victim, &status) == 0 && status.st_uid == 0)
    }
}
