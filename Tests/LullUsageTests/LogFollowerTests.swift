import Foundation
import LullModel
import Testing

@testable import LullUsage

/// Logs that grow, rotate, vanish and come back, with real files.
struct LogFollowerTests {
    private func line(_ hoursAgo: Int, _ words: String = "GET /feed") -> String {
        FollowedFolder.line(hoursAgo, words)
    }

    @Test func `what stands in a log is learned first, and each line as it comes`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50) + line(40, "GET /other") + line(30))
        try folder.follow([folder.log(match: "GET /(feed|colours)")])
        #expect(folder.hours == [50, 30])
        folder.write(line(20) + line(19, "POST /feed"))
        folder.wait(forUses: 3)
        folder.write(line(10).dropLast(3) + "")
        folder.write(String(line(10).suffix(3)) + line(5))
        folder.wait(forUses: 5)
        #expect(folder.hours == [50, 30, 20, 10, 5])
        #expect(folder.faults == [])
    }

    @Test func `a line is a use only once its end has come`() throws {
        let folder = try FollowedFolder()
        let source = folder.log()
        folder.write(line(9) + line(8).dropLast())
        try folder.follow([source])
        #expect(folder.hours == [9])
        // The saved position is before the incomplete line.
        try folder.follow([source])
        folder.write("\n")
        folder.wait(forUses: 2)
        #expect(folder.hours == [9, 8])
    }

    @Test func `rotation by another name loses nothing, also of a writer that changes over late`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50))
        try folder.follow([folder.log()])
        folder.write(line(40))
        folder.move("log", to: "log.1")
        folder.write(line(30), to: "log.1")
        folder.write(line(20))
        folder.wait(forUses: 4)
        folder.write(line(10), to: "log.1")
        folder.wait(forUses: 5)
        folder.move("log.1", to: "log.2")
        folder.move("log", to: "log.1")
        folder.write(line(5), to: "log.1")
        folder.write(line(1))
        folder.wait(forUses: 7)
        #expect(folder.hours.sorted() == [1, 5, 10, 20, 30, 40, 50])
        #expect(folder.faults == [])
    }

    @Test func `rotation by copying and emptying loses nothing`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50) + line(45))
        try folder.follow([folder.log()])
        folder.write(line(40))
        try folder.copy("log", to: "log.1")
        folder.empty("log")
        folder.write(line(30))
        folder.wait(forUses: 4)
        #expect(folder.hours == [50, 45, 40, 30])
        // The emptied log is at once longer than before.
        try folder.copy("log", to: "log.2")
        folder.empty("log")
        folder.write(line(20) + line(15) + line(10) + line(5))
        folder.wait(forUses: 8)
        #expect(folder.hours == [50, 45, 40, 30, 20, 15, 10, 5])
    }

    @Test func `a log that vanishes is followed again when it returns`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50))
        try folder.follow([folder.log()])
        folder.write(line(40))
        folder.remove("log")
        folder.wait(forUses: 2)
        folder.write(line(30))
        folder.wait(forUses: 3)
        folder.write(line(20))
        folder.wait(forUses: 4)
        #expect(folder.hours == [50, 40, 30, 20])
        #expect(folder.faults == [])
    }

    @Test func `a log is waited for with its folders`() throws {
        let folder = try FollowedFolder()
        try folder.follow([folder.log("a/b/log")])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        folder.write(line(50), to: "a/b/log")
        folder.wait(forUses: 1)
        folder.write(line(40), to: "a/b/log")
        folder.wait(forUses: 2)
        try FileManager.default.removeItem(atPath: folder.path + "/a")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        folder.write(line(30), to: "a/b/log")
        folder.wait(forUses: 3)
        #expect(folder.hours == [50, 40, 30])
    }

    @Test func `a link is followed to another log when it is put there`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50), to: "one")
        #expect(symlink("one", folder.path + "/log") == 0)
        try folder.follow([folder.log()])
        folder.write(line(40), to: "one")
        folder.wait(forUses: 2)
        folder.write(line(30), to: "two")
        #expect(symlink("two", folder.path + "/new") == 0)
        folder.move("new", to: "log")
        folder.wait(forUses: 3)
        folder.write(line(20), to: "two")
        folder.wait(forUses: 4)
        #expect(folder.hours == [50, 40, 30, 20])
    }

    @Test func `two sources may read one log, and one use that both tell of is one`() throws {
        let folder = try FollowedFolder()
        folder.write(line(50, "GET /a") + line(40, "GET /b") + line(30, "GET /a/b"))
        try folder.follow([folder.log(match: "/a"), folder.log(match: "/b")])
        #expect(folder.hours == [50, 40, 30])
        folder.write(line(20, "GET /b"))
        folder.wait(forUses: 4)
        folder.follow(again: [folder.log(match: "/a")])
        folder.write(line(10, "GET /b") + line(9, "GET /a"))
        folder.wait(forUses: 5)
        #expect(folder.hours == [50, 40, 30, 20, 9])
    }

    @Test func `a burst is one use`() throws {
        let folder = try FollowedFolder()
        try folder.follow([folder.log()])
        let start = UsageTimeTests.reference.seconds - 7200
        folder.write((0..<6000).map { "\(start + Int64($0)) GET /feed\n" }.joined())
        folder.wait(forUses: 4)
        folder.write(line(0))
        folder.wait(forUses: 5)
        let minutes = folder.uses.map { ($0 - folder.uses[0]).milliseconds / 60_000 }
        #expect(minutes == [0, 30, 60, 90, 120])
    }

    @Test func `a folder, a line too long, a line without its time and the future are told of once`() throws {
        let folder = try FollowedFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/log", withIntermediateDirectories: true)
        try folder.follow([folder.log()])
        #expect(folder.faults == [.notAFile(path: folder.path + "/log")])
        folder.write("x\n" + String(repeating: "y", count: 70_000) + "\n" + line(-5) + line(9), to: "new")
        try FileManager.default.removeItem(atPath: folder.path + "/log")
        folder.move("new", to: "log")
        folder.wait(forUses: 1)
        folder.write("x\n" + line(-5) + line(8))
        folder.wait(forUses: 2)
        let app = try #require(FollowedFolder.app)
        #expect(
            Set(folder.faults) == [
                .notAFile(path: folder.path + "/log"), .linesTooLong(path: folder.path + "/log"),
                .linesWithoutTime(path: folder.path + "/log", app: app), .fromTheFuture(app),
            ])
        #expect(folder.faults.count == 4)
    }

    @Test(arguments: 0..<5) func `random bytes harm nothing, and the next line is a use`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let folder = try FollowedFolder()
        try folder.follow([
            folder.log(match: "[a-z]+(0|1)*."),
            .log(path: folder.path + "/log", match: nil, time: .common),
            .log(path: folder.path + "/log", match: nil, time: .rfc3339),
        ])
        for hour in 1...5 {
            for _ in 0..<20 { folder.write(random.bytes(upTo: 5_000)) }
            let before = folder.uses.count
            folder.write("\nx GET /feed \(FollowedFolder.line(hour))")
            folder.wait { folder.hours.dropFirst(before).contains(hour) || folder.hours.contains(hour) }
            if hour == 3 {
                folder.move("log", to: "log.1")
                folder.empty("log.1")
            }
        }
        #expect(Set([1, 2, 3, 4, 5]).isSubset(of: Set(folder.hours)))
    }

    @Test func `what the kernel makes up is no log, also behind a link`() throws {
        let folder = try FollowedFolder()
        let log = folder.path + "/log"
        for target in ["/proc/version", "/proc/self/../version", "/sys/kernel/notes"] {
            try? FileManager.default.removeItem(atPath: log)
            try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: target)
            #expect(LogFile.refusal(at: log) == .notAFile, "\(target)")
        }
        #expect(LogFile.refusal(at: "/proc/version") == .notAFile)
        try? FileManager.default.removeItem(atPath: log)
        // No process writes to it, and opening it does not block.
        #expect(mkfifo(log, 0o600) == 0)
        #expect(LogFile.refusal(at: log) == .notAFile)
    }

    @Test func `links of one's own are followed, as far as the kernel would`() throws {
        let folder = try FollowedFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try Data("x\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/a/b/file"))
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: target)
        }
        try link("below", to: "a/b")
        try link("log", to: "below/../b/file")
        #expect(LogFile.refusal(at: folder.path + "/log") == nil)
        #expect(LogFile.refusal(at: folder.path + "/below/none") == .missing)
        try link("round", to: "round")
        #expect(LogFile.refusal(at: folder.path + "/round") == .unreadable(ELOOP))
    }

    @Test(.enabled(if: geteuid() == 0, "needs the right to give a link away"))
    func `a link that somebody else has made leads to their own files alone`() throws {
        let folder = try FollowedFolder()
        let (log, file) = (folder.path + "/log", folder.path + "/file")
        try Data("x\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: file)
        #expect(lchown(log, 65534, 65534) == 0)
        #expect(LogFile.refusal(at: log) == .foreignLink(65534))
        let fault = UsageFault.foreignLink(path: log, maker: 65534)
        #expect(fault.message.contains("user 65534") && fault.lasts)
        #expect(chown(file, 65534, 65534) == 0)
        #expect(LogFile.refusal(at: log) == nil)
    }
}
