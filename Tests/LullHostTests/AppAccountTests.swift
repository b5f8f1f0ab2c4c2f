import Foundation
import LullManifest
import LullModel
import LullWorkers
import Testing

@testable import LullHost

/// The accounts of a root host's apps: numbers without names.
struct AppAccountTests {
    /// A state folder with the accounts of two apps.
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        )
        .path
        var app: String { folder + "/com.example.App" }
        var other: String { folder + "/com.example.Other" }

        init() throws {
            for path in [app, other] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
        }
        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test func `an app's number is the same each time, and each app's is another`() throws {
        let desk = try Desk()
        let accounts = AppAccount(isFree: { _ in true }, isRunning: { _ in false })
        let number = try #require(accounts.user(of: desk.app)).number
        #expect(AppAccount.numbers.contains(number))
        #expect(accounts.user(of: desk.app)?.number == number)
        #expect(accounts.user(of: desk.app)?.group == number)
        #expect(accounts.user(of: desk.other)?.number != number)
    }

    @Test func `a number that a user or a running process has is passed over`() throws {
        let desk = try Desk()
        let first = try #require(
            AppAccount(isFree: { _ in true }, isRunning: { _ in false }).user(of: desk.app)
        ).number
        let named = AppAccount(isFree: { $0 != first }, isRunning: { _ in false })
        #expect(named.user(of: desk.app).map { $0.number != first } == true)
        let running = AppAccount(isFree: { _ in true }, isRunning: { $0 == first })
        #expect(running.user(of: desk.app).map { $0.number != first } == true)
        #expect(AppAccount(isFree: { _ in false }, isRunning: { _ in false }).user(of: desk.app) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a folder away"))
    func `the owner of its folder is an app's number, unless another app has that`() throws {
        let desk = try Desk()
        let accounts = AppAccount(isFree: { _ in false }, isRunning: { _ in true })
        try #require(chown(desk.app, 0x7123_4567, 0x7123_4567) == 0)
        #expect(accounts.user(of: desk.app)?.number == 0x7123_4567)
        try #require(chown(desk.other, 0x7123_4567, 0x7123_4567) == 0)
        #expect(accounts.user(of: desk.app) == nil)
        let free = AppAccount(isFree: { _ in true }, isRunning: { _ in false })
        #expect(free.user(of: desk.app).map { $0.number != 0x7123_4567 } == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a folder away"))
    func `what root had in an app's folder is given to its account, and nothing behind links`() throws {
        let desk = try Desk()
        let manager = FileManager.default
        try manager.createDirectory(atPath: desk.app + "/below/deep", withIntermediateDirectories: true)
        for path in [desk.app + "/below/deep/file", desk.folder + "/outside", desk.folder + "/twin"] {
            try "x".write(toFile: path, atomically: false, encoding: .utf8)
        }
        try manager.createSymbolicLink(
            atPath: desk.app + "/link", withDestinationPath: desk.folder + "/outside")
        try manager.linkItem(atPath: desk.folder + "/twin", toPath: desk.app + "/twin")
        try "y".write(toFile: desk.app + "/nobodys", atomically: false, encoding: .utf8)
        try #require(chown(desk.app + "/nobodys", 65534, 65534) == 0)
        let folder = open(desk.app, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        #expect(FolderGift.give(folder, from: geteuid(), to: 0x7000_0001, group: 0x7000_0001) == nil)
        func owner(_ path: String) -> UInt32? {
            var status = stat()
            return lstat(desk.folder + path, &status) == 0 ? status.st_uid : nil
        }
        for path in ["", "/below", "/below/deep", "/below/deep/file", "/link"] {
            #expect(owner("/com.example.App" + path) == 0x7000_0001, "\(path)")
        }
        #expect(owner("/outside") == 0)
        #expect(owner("/twin") == 0)
        #expect(owner("/com.example.App/nobodys") == 65534)
    }

    @Test func `who is named, kept as root or the host's own has no account of its own`() throws {
        var app = App(
            identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        #expect(app.hasOwnAccount)
        app.limits.keepsPrivileges = true
        #expect(!app.hasOwnAccount)
        app.limits.keepsPrivileges = false
        app.user = "host"
        #expect(!app.hasOwnAccount && app.namedUser == nil)
        app.user = "nobody"
        #expect(!app.hasOwnAccount && app.namedUser == "nobody")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount"))
    func `where the disk has no room for its folder that is said with a remedy`() throws {
        let desk = try Desk()
        // The file system has room for two files: its root and `apps`. Some containers can't mount anything.
        guard mount("tmpfs", desk.other, "tmpfs", 0, "nr_inodes=2") == 0 else { return }
        defer { umount2(desk.other, Int32(MNT_DETACH)) }
        let state = StateFolder(option: desk.other, environment: [:], isRoot: true)
        let refusal = state.createAppFolder(
            "com.example.App",
            StartSight(plugin: .success(FileIdentity(device: 0, inode: 0, bytes: 0, modified: 0))))
        #expect(refusal?.contains("has no room for another file") == true, "\(refusal ?? "it was made")")
        #expect(refusal?.contains("`df -i`") == true)
    }
}
