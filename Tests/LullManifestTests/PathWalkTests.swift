import Foundation
import Testing

@testable import LullManifest

/// Every folder on the way to a file, as on a real disk.
struct PathWalkTests {
    /// `folder/open/sub/file`, all of it this user's, in a folder that only links made by this user lead through.
    private final class Bench {
        let folder: String

        init() throws {
            let made = FileManager.default.temporaryDirectory.appendingPathComponent(
                "lull-\(UUID().uuidString)"
            ).path
            try FileManager.default.createDirectory(
                atPath: made + "/open/sub", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
            let real = try #require(realpath(made, nil))
            folder = String(cString: real)
            free(real)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path("open/sub/file")))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func path(_ name: String) -> String { folder + "/" + name }
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
        }
        func breaches(_ name: String) throws -> [Breach] { try PathWalk(path(name)).breaches }
    }

    @Test func `a way that nobody else has a hand in has no breach, through links too`() throws {
        let bench = try Bench()
        try bench.link("link", to: "open/../open/sub")
        try bench.link("open/absolute", to: bench.path("open"))
        for name in ["open/sub/file", "./open//sub/../sub/file", "link/file", "open/absolute/sub/file"] {
            let walk = try PathWalk(bench.path(name))
            #expect(walk.breaches.isEmpty, "\(name): \(walk.breaches)")
            #expect(walk.realPath == bench.path("open/sub/file"))
            #expect(walk.stranger == nil)
        }
        #expect(try PathWalk("/").realPath == "/")
        // Debian's merged /usr.
        #expect(try PathWalk("/lib").breaches.isEmpty)
    }

    @Test(arguments: ["open/sub/file", "link/file", "through/sub/file"])
    func `a folder in the middle that anybody can write is named`(name: String) throws {
        let bench = try Bench()
        try bench.link("link", to: "open/sub")
        try bench.link("through", to: bench.path("open"))
        try #require(chmod(bench.path("open"), 0o777) == 0)
        #expect(try bench.breaches(name) == [Breach(path: bench.path("open"), stranger: .everybody)])
        // In a sticky folder users can replace only their own files.
        try #require(chmod(bench.path("open"), 0o1777) == 0)
        #expect(try bench.breaches(name).isEmpty)
    }

    @Test func `a folder that only a link leads through is judged as well`() throws {
        let bench = try Bench()
        try FileManager.default.createDirectory(
            atPath: bench.path("aside"), withIntermediateDirectories: false)
        try bench.link("aside/link", to: "../open/sub")
        try #require(chmod(bench.path("aside"), 0o777) == 0)
        #expect(
            try bench.breaches("aside/link/file")
                == [Breach(path: bench.path("aside"), stranger: .everybody)])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
    func `an owner who is a stranger is one wherever he is met, and of a link in /tmp's like`() throws {
        let bench = try Bench()
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try bench.link("open/link", to: "sub")
        try #require(lchown(bench.path("open/link"), nobody, 0) == 0)
        // Only a user who may write the folder can replace the link.
        #expect(try bench.breaches("open/link/file").isEmpty)
        try #require(chmod(bench.path("open"), 0o1777) == 0)
        let link = try #require(try bench.breaches("open/link/file").first)
        #expect(link.path == bench.path("open/link") && link.stranger == .owner("nobody"))
        #expect(link.message.contains("the link '\(bench.path("open/link"))' belongs to 'nobody'"))
        try #require(chown(bench.path("open"), nobody, 0) == 0)
        // The owner of a folder can replace every name in it, even with the sticky bit.
        #expect(
            try bench.breaches("open/sub/file") == [
                Breach(path: bench.path("open"), stranger: .owner("nobody"))
            ])
        #expect(Breach.first(to: bench.path("open/sub/file"), trusting: nobody) == nil)
    }

    @Test func `whom an access list names is a stranger`() throws {
        let bench = try Bench()
        // user::rwx, user:65534:rwx, group::r-x, mask::rwx, other::r-x; as setfacl writes it.
        let entries: [(UInt16, UInt16, UInt32)] = [
            (1, 7, .max), (2, 7, 65534), (4, 5, .max), (16, 7, .max), (32, 5, .max),
        ]
        var list: [UInt8] = [2, 0, 0, 0]
        for (tag, rights, who) in entries {
            for field in [tag, rights] { withUnsafeBytes(of: field.littleEndian) { list += $0 } }
            withUnsafeBytes(of: who.littleEndian) { list += $0 }
        }
        let hex = "0x" + list.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let set = Process()
        set.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script =
            "import os, sys; os.setxattr(sys.argv[1], 'system.posix_acl_access', bytes.fromhex(sys.argv[2][2:]))"
        set.arguments = ["python3", "-c", script, bench.path("open"), hex]
        set.standardError = FileHandle.nullDevice
        try set.run()
        set.waitUntilExit()
        // Without access lists on the file system, or Python on the machine, there is nothing to judge.
        guard set.terminationStatus == 0 else { return }
        let breach = try #require(try bench.breaches("open/sub/file").first)
        #expect(breach.stranger == .listed)
        #expect(breach.fix == "run `chmod g-w \(bench.path("open"))`")
    }

    @Test func `what is not there, a ring of links and a file in the middle are no way`() throws {
        let bench = try Bench()
        try bench.link("ring", to: "ring")
        for (name, code) in [
            ("none", ENOENT), ("none/file", ENOENT), ("ring", ELOOP), ("open/sub/file/file", ENOTDIR),
        ] {
            #expect(throws: PathWalk.Failure(code: code)) { try PathWalk(bench.path(name)) }
        }
        #expect(throws: PathWalk.Failure(code: ENOENT)) { try PathWalk(bench.folder + "\0/open") }
    }

    /// A folder that a stranger can exchange is judged as the stranger's at every moment: the path never passes.
    @Test func `a way is refused in each moment in which it is being exchanged`() throws {
        let bench = try Bench()
        try FileManager.default.createDirectory(
            atPath: bench.path("open/other"), withIntermediateDirectories: false)
        try Data("y".utf8).write(to: URL(fileURLWithPath: bench.path("open/other/file")))
        try #require(chmod(bench.path("open"), 0o777) == 0)
        let exchanger = try Exchanger(bench.path("open/sub"), bench.path("open/other"))
        defer { exchanger.end() }
        for _ in 0..<1000 {
            let breach = try #require(Breach.first(to: bench.path("open/sub/file")))
            #expect(breach.path == bench.path("open"))
        }
    }

    /// A process that exchanges two names as fast as it can, until it is ended.
    private struct Exchanger {
        private let process = Process()

        init(_ one: String, _ other: String) throws {
            let script = """
                import ctypes, sys
                call = ctypes.CDLL(None).renameat2
                one, other = (name.encode() for name in sys.argv[1:3])
                print("ready", flush=True)
                while True: call(-100, one, -100, other, 2)
                """
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, one, other]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
        }

        func end() {
            // The tests of hosts block the other signals, and child processes inherit that.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }
}
