import Foundation
import LullModel
import Testing

@testable import LullManifest

/// The users who could replace a file, judged as ssh's StrictModes judges them.
struct StrangerTests {
    private func stranger(_ mode: mode_t, owner: uid_t, group: gid_t, user: uid_t) -> Stranger? {
        var status = stat()
        status.st_mode = S_IFREG | mode
        status.st_uid = owner
        status.st_gid = group
        return Stranger(status, user: user)
    }

    /// A user and a group that this machine does not know.
    private static let unknown: uid_t = 61_234

    @Test(
        arguments: [
            (0o644, 0, 0, 1000, nil), (0o755, 1000, 1000, 1000, nil), (0o600, 1000, 5, 1000, nil),
            (0o666, 1000, 1000, 1000, .everybody), (0o646, 0, 0, 0, .everybody), (0o664, 0, 0, 1000, nil),
        ] as [(mode_t, uid_t, gid_t, uid_t, Stranger?)])
    func `by its mode`(mode: mode_t, owner: uid_t, group: gid_t, user: uid_t, expected: Stranger?) {
        #expect(stranger(mode, owner: owner, group: group, user: user) == expected)
    }

    @Test func `a group that nobody else is in is its owner, as with the umask 002`() {
        let own = Self.unknown
        #expect(stranger(0o664, owner: own, group: own, user: own) == nil)
        #expect(stranger(0o664, owner: own, group: own + 1, user: own) == .group("61235"))
    }

    @Test func `a group with a name of its own is somebody else`() throws {
        let daemon = try #require(getgrnam("daemon")).pointee.gr_gid
        #expect(stranger(0o664, owner: 0, group: daemon, user: 0) == .group("daemon"))
        #expect(stranger(0o644, owner: 0, group: daemon, user: 0) == nil)
        let user = try #require(getpwnam("daemon")).pointee.pw_uid
        #expect(stranger(0o664, owner: user, group: daemon, user: user) == nil)
    }

    @Test func `what belongs to another user is theirs, and root's is everybody's to trust`() {
        #expect(stranger(0o644, owner: Self.unknown, group: 0, user: 1000) == .owner("61234"))
        #expect(stranger(0o644, owner: Self.unknown, group: 0, user: 0) == .owner("61234"))
        #expect(stranger(0o644, owner: 0, group: 0, user: Self.unknown) == nil)
    }
}

/// At each start of a worker the plugin's file is judged anew.
final class PluginSightTests {
    private let folder: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/lull-sight-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder + "/feed.so"))
        try #require(chmod(folder + "/feed.so", 0o644) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func look() throws -> FileIdentity {
        let identifier = try #require(AppIdentifier("org.example.feed"))
        return try PluginSight.look(at: App(identifier: identifier, plugin: folder + "/feed.so"))
    }

    private func refusal() throws -> String {
        do {
            _ = try look()
            return ""
        } catch let refusal as PluginSight.Refusal {
            return refusal.sentence.replacingOccurrences(of: folder, with: "DIR")
        }
    }

    @Test func `the same file is the same, and another in its place is not`() throws {
        let first = try look()
        #expect(try look() == first)
        try Data("two".utf8).write(to: URL(fileURLWithPath: folder + "/new.so"))
        try #require(rename(folder + "/new.so", folder + "/feed.so") == 0)
        #expect(try look() != first)
    }

    @Test func `what others can write by now is not started`() throws {
        try #require(chmod(folder + "/feed.so", 0o666) == 0)
        #expect(
            try refusal()
                == "Every user of this machine can write the plugin 'DIR/feed.so', and so run code as you. "
                + "Run `chmod o-w DIR/feed.so`.")
        try #require(chmod(folder + "/feed.so", 0o644) == 0 && chmod(folder, 0o777) == 0)
        #expect(try refusal().hasPrefix("Every user of this machine can put files into the plugin's folder"))
        try #require(unlink(folder + "/feed.so") == 0)
        #expect(try refusal().hasPrefix("There is no file 'DIR/feed.so'."))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `what belongs to another user is not started, but for an app that runs as that user`() throws {
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try #require(chown(folder + "/feed.so", nobody, 0) == 0)
        #expect(
            try refusal().hasPrefix(
                "The plugin 'DIR/feed.so' belongs to 'nobody', who can therefore run code"))
        var app = App(
            identifier: try #require(AppIdentifier("org.example.feed")), plugin: folder + "/feed.so")
        app.user = "nobody"
        #expect(throws: Never.self) { try PluginSight.look(at: app) }
    }
}
