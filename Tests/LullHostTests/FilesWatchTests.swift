import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullHost

struct FilesWatchTests {
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        ).path
        var path: String { folder + "/jobs.yaml" }
        let loop: EventLoop
        private(set) var told = 0
        private var watch: FilesWatch?
        private var later: LoopTimer?

        init(named name: String = "jobs.yaml") throws {
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: folder + "/" + name).deletingLastPathComponent().path,
                withIntermediateDirectories: true)
            try "first".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
            if name != "jobs.yaml" {
                try FileManager.default.createSymbolicLink(
                    atPath: folder + "/jobs.yaml", withDestinationPath: name)
            }
            loop = try EventLoop()
            loop.onAlarm = { [unowned loop] in loop.stop() }
            watch = FilesWatch(loop: loop, files: { [path] in [path] }) { [unowned self] in
                told += 1
                loop.stop()
            }
            try #require(watch != nil)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Turns the loop until a change is reported or the time is up.
        func turn(_ timeout: Duration = hangLimit) {
            loop.arm(wall: nil, monotonic: Clock.monotonic + timeout)
            loop.run()
        }

        func make(_ folder: String) throws {
            try FileManager.default.createDirectory(
                atPath: self.folder + "/" + folder, withIntermediateDirectories: true)
        }

        func write(_ text: String, atomically: Bool = false) throws {
            try text.write(toFile: path, atomically: atomically, encoding: .utf8)
        }
    }

    @Test func `it tells of what was written, in place or by a file that takes its place`() throws {
        let desk = try Desk()
        try desk.write("second")
        desk.turn()
        #expect(desk.told == 1)
        try desk.write("third", atomically: true)
        desk.turn()
        #expect(desk.told == 2)
        // The watch follows the new file.
        try desk.write("fourth")
        desk.turn()
        #expect(desk.told == 3)
    }

    @Test func `many steps are one change`() throws {
        let desk = try Desk()
        for step in 0..<20 { try desk.write("step \(step)", atomically: step % 2 == 0) }
        try FileManager.default.removeItem(atPath: desk.path)
        try desk.write("last")
        desk.turn()
        #expect(desk.told == 1)
    }

    @Test func `what a link leads to counts`() throws {
        let desk = try Desk(named: "target.yaml")
        try "second".write(toFile: desk.folder + "/target.yaml", atomically: true, encoding: .utf8)
        desk.turn()
        #expect(desk.told == 1)
    }

    @Test func `a file that is as it was is no change, and neither are its neighbours`() throws {
        let desk = try Desk()
        try desk.write("first", atomically: true)
        try "x".write(toFile: desk.folder + "/.jobs.yaml.swp", atomically: false, encoding: .utf8)
        // The only wait for no event: no load of the machine makes it fail.
        desk.turn(.milliseconds(600))
        #expect(desk.told == 0)
        try desk.write("second")
        desk.turn()
        #expect(desk.told == 1)
    }

    @Test func `a link's target may go, with its folder, and come back`() throws {
        let desk = try Desk(named: "shared/current/jobs.yaml")
        let target = desk.folder + "/shared/current/jobs.yaml"
        try FileManager.default.moveItem(atPath: desk.folder + "/shared", toPath: desk.folder + "/away")
        desk.turn()
        #expect(desk.told == 1)
        try desk.make("shared/current")
        try "second".write(toFile: target, atomically: false, encoding: .utf8)
        desk.turn()
        #expect(desk.told == 2)
        // Files in the old folder are no longer followed.
        try "third".write(toFile: target, atomically: true, encoding: .utf8)
        desk.turn()
        #expect(desk.told == 3)
    }
}
