import LullModel
import Testing

@testable import LullUsage

/// The place to continue in a log that may have been rotated.
struct LogPlanTests {
    private static func time(_ minute: Int) -> WallTime { UsageTimeTests.reference + .minutes(minute) }
    private static func file(_ name: String, _ size: Int64, at minute: Int, continues: Bool = false)
        -> LogPlan.File
    {
        LogPlan.File(path: name, size: size, modified: time(minute), continues: continues)
    }
    private static func step(_ name: String, _ offset: Int64, isMidLine: Bool = false) -> LogPlan.Step {
        LogPlan.Step(path: name, offset: offset, isMidLine: isMidLine)
    }
    private static let position = LogPosition(device: 1, inode: 2, offset: 50, mark: 3, read: time(0))

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var position: LogPosition? = LogPlanTests.position
        var log: LogPlan.File?
        var rotated: [LogPlan.File] = []
        var limit: Int64 = 1000
        let steps: [LogPlan.Step]
        var isBroken = false
    }

    @Test(arguments: cases) func `each is read from where it was left`(_ item: Case) {
        let plan = LogPlan(from: item.position, log: item.log, rotated: item.rotated, limit: item.limit)
        #expect(plan.steps == item.steps)
        #expect(plan.isBroken == item.isBroken)
    }

    static let cases = [
        Case(
            testDescription: "a new log, after the last that was rotated away", position: nil,
            log: file("log", 80, at: 5),
            rotated: [file("log.1", 300, at: -9), file("log.2", 300, at: -99)],
            steps: [step("log.1", 0), step("log", 0)]),
        Case(testDescription: "no log", position: nil, steps: []),
        Case(
            testDescription: "a new log that is long", position: nil, log: file("log", 5000, at: 5),
            rotated: [file("log.1", 300, at: -9)], steps: [step("log", 4000, isMidLine: true)]),
        Case(
            testDescription: "a new log and the end of the one before", position: nil,
            log: file("log", 900, at: 5), rotated: [file("log.1", 300, at: -9)],
            steps: [step("log.1", 200, isMidLine: true), step("log", 0)]),
        Case(
            testDescription: "growth", log: file("log", 80, at: 5, continues: true),
            rotated: [file("log.1", 300, at: -9)], steps: [step("log", 50)]),
        Case(
            testDescription: "rotation", log: file("log", 10, at: 5),
            rotated: [file("log.1", 90, at: 3, continues: true), file("log.2", 300, at: -9)],
            steps: [step("log.1", 50), step("log", 0)]),
        Case(
            testDescription: "two rotations", log: file("log", 10, at: 5),
            rotated: [file("log.2", 90, at: 2, continues: true), file("log.1", 300, at: 4)],
            steps: [step("log.2", 50), step("log.1", 0), step("log", 0)]),
        Case(
            testDescription: "rotated away and not there again",
            rotated: [file("log.1", 90, at: 3, continues: true)], steps: [step("log.1", 50)]),
        Case(
            testDescription: "gone", log: file("log", 10, at: 5),
            rotated: [file("log.1", 300, at: -9), file("log.2", 20, at: 1)],
            steps: [step("log.2", 0), step("log", 0)], isBroken: true),
        Case(
            testDescription: "gone before anything was read",
            position: .nothing(at: time(0)), log: file("log", 10, at: 5), steps: [step("log", 0)]),
        Case(
            testDescription: "growth over the limit", log: file("log", 2000, at: 5, continues: true),
            limit: 100, steps: [step("log", 1900, isMidLine: true)]),
    ]
}
