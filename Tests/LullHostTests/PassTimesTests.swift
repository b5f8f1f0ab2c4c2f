import Foundation
import LullModel
import Testing

@testable import LullHost

struct PassTimesTests {
    private static func times(minutes: [Int]) -> PassTimes {
        PassTimes(minutes.map { WallTime(seconds: 1_800_000_000) + .minutes($0) })
    }

    @Test(arguments: [
        (minutes: [], interval: nil),
        (minutes: [0, 5], interval: nil),
        (minutes: [0, 5, 10], interval: Duration.minutes(5)),
        // A single long gap, such as a night with the host off, does not count.
        (minutes: [0, 5, 10, 500, 505], interval: .minutes(5)),
        // A person starts it by hand again and again.
        (minutes: [0, 0, 0, 0], interval: nil),
        (minutes: [0, 3000, 6000], interval: nil),
    ])
    func `the interval is the median gap of enough passes, within reason`(
        minutes: [Int], interval: Duration?
    ) {
        #expect(Self.times(minutes: minutes).interval == interval)
    }

    @Test func `passes that have ended have no interval`() {
        let passes = Self.times(minutes: [0, 5, 10])
        #expect(passes.interval(at: WallTime(seconds: 1_800_000_000) + .minutes(25)) == .minutes(5))
        #expect(passes.interval(at: WallTime(seconds: 1_800_000_000) + .minutes(26)) == nil)
    }

    @Test func `the last ten are kept, and those in the future of a clock set back are let go`() {
        var passes = Self.times(minutes: Array(0..<10))
        passes.add(WallTime(seconds: 1_800_000_000) + .minutes(10))
        #expect(passes == Self.times(minutes: Array(1...10)))
        passes.add(WallTime(seconds: 1_800_000_000) + .minutes(4))
        #expect(passes == Self.times(minutes: [1, 2, 3, 4]))
    }

    @Test func `what was saved is read again, and what is damaged counts as none`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        )
        .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = StateFolder(option: folder, environment: [:], isRoot: false)
        #expect(PassTimes(in: state) == PassTimes())
        let passes = Self.times(minutes: [0, 5, 10])
        passes.save(in: state)
        #expect(PassTimes(in: state) == passes)
        #expect(!FileManager.default.fileExists(atPath: folder + "/passes.new"))
        try "no time\n".write(toFile: folder + "/passes", atomically: true, encoding: .utf8)
        #expect(PassTimes(in: state) == PassTimes())
    }
}
