import Foundation
import LullModel
import Testing

@testable import LullUsage

/// Uses from the time without a follower are found later, and none twice.
struct RestartTests {
    private func line(_ hoursAgo: Int) -> String { FollowedFolder.line(hoursAgo) }

    /// A log that was followed up to hour 50.
    private func followed() throws -> FollowedFolder {
        let folder = try FollowedFolder()
        folder.write(line(60) + line(50))
        try folder.follow([folder.log()])
        folder.follower?.save()
        folder.follower = nil
        return folder
    }

    @Test func `a log that grew is read on`() throws {
        let folder = try followed()
        folder.write(line(40))
        try folder.follow([folder.log()])
        #expect(folder.hours == [60, 50, 40])
        folder.write(line(30))
        folder.wait(forUses: 4)
        #expect(folder.faults == [])
    }

    @Test func `a log that was rotated is found under its new name`() throws {
        let folder = try followed()
        folder.write(line(45))
        folder.move("log", to: "log.1")
        folder.write(line(40))
        try folder.follow([folder.log()])
        #expect(folder.hours == [60, 50, 45, 40])
        #expect(folder.faults == [])
    }

    @Test func `two rotations are caught up with, also under dates`() throws {
        let folder = try followed()
        folder.write(line(45))
        folder.move("log", to: "log-20261119")
        folder.write(line(40))
        folder.move("log", to: "log-20261120")
        folder.write(line(30))
        try folder.follow([folder.log()])
        #expect(folder.hours == [60, 50, 45, 40, 30])
        #expect(folder.faults == [])
    }

    @Test func `a log that was copied and emptied is read on in its copy`() throws {
        let folder = try followed()
        folder.write(line(45))
        try folder.copy("log", to: "log.1")
        folder.empty("log")
        folder.write(line(40) + line(35) + line(30) + line(25))
        try folder.follow([folder.log()])
        #expect(folder.hours == [60, 50, 45, 40, 35, 30, 25])
        #expect(folder.faults == [])
    }

    @Test func `a log that was rotated away and packed is missed with a word`() throws {
        let folder = try followed()
        folder.write(line(45))
        folder.remove("log")
        folder.write("\u{1f}\u{8b}", to: "log.1.gz")
        folder.write(line(40))
        try folder.follow([folder.log()])
        #expect(folder.hours == [60, 50, 40])
        #expect(folder.faults == [.rotatedAway(path: folder.path + "/log")])
    }

    @Test func `a log that lost its place is read anew and adds nothing`() throws {
        let folder = try followed()
        try FileManager.default.removeItem(atPath: folder.path + "/state/" + UsagePlaces.name)
        folder.write(line(40))
        try folder.followAfterCrash([folder.log()])
        #expect(folder.hours == [60, 50, 40])
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/state/" + UsagePlaces.name))
        try folder.followAfterCrash([folder.log()])
        #expect(folder.hours == [60, 50, 40])
    }

    @Test func `a crash between a use and its place records it once`() throws {
        let folder = try FollowedFolder()
        folder.write(line(60) + line(50))
        try folder.follow([folder.log()])
        folder.write(line(40))
        folder.wait(forUses: 3)
        folder.write(line(30))
        try folder.followAfterCrash([folder.log()])
        #expect(folder.hours == [60, 50, 40, 30])
    }

    @Test func `without a loop a log is read up to its end, and on from there`() throws {
        let folder = try FollowedFolder()
        folder.write(line(60) + line(50))
        try folder.follow([folder.log()], once: true)
        folder.write(line(40))
        #expect(folder.hours == [60, 50])
        try folder.follow([folder.log()], once: true)
        #expect(folder.hours == [60, 50, 40])
        folder.move("log", to: "log.1")
        try folder.follow([folder.log()], once: true)
        folder.write(line(30))
        try folder.follow([folder.log()], once: true)
        #expect(folder.hours == [60, 50, 40, 30])
        #expect(folder.faults == [])
    }

    @Test func `what is older than sixteen weeks is not learned`() throws {
        let folder = try FollowedFolder()
        folder.write(line(113 * 24) + line(111 * 24))
        try folder.follow([folder.log()])
        #expect(folder.hours == [111 * 24])
    }

    /// Random rotation, with restarts between: every line is found exactly once.
    @Test(arguments: 0..<8) func `whatever happens to it, each line is learned once`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try FollowedFolder()
        var hour = 1_000
        var written: [Int] = []
        func write(_ name: String = "log") {
            hour -= 1
            written.append(hour)
            folder.write(line(hour), to: name)
        }
        func rotate() {
            let names = (1...9).map { "log.\($0)" }.filter {
                FileManager.default.fileExists(atPath: folder.path + "/" + $0)
            }
            for name in names.reversed() { folder.move(name, to: "log.\((Int(name.dropFirst(4)) ?? 0) + 1)") }
            if FileManager.default.fileExists(atPath: folder.path + "/log") {
                folder.move("log", to: "log.1")
            }
        }
        write()
        try folder.follow([folder.log()])
        for _ in 0..<40 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try folder.follow([folder.log()])
            case 1: try folder.followAfterCrash([folder.log()])
            case 2 where written.count < 200:
                rotate()
                write()
            case 3:
                folder.follower?.save()
                folder.follower = nil
                write()
                rotate()
                write()
                try folder.follow([folder.log()])
            default: write()
            }
            if Bool.random(using: &random) { folder.wait { Set(folder.hours).isSuperset(of: written) } }
        }
        folder.wait { Set(folder.hours).isSuperset(of: written) }
        #expect(folder.hours.sorted() == written.sorted())
    }
}
