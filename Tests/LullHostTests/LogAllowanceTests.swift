import LullModel
import Testing

@testable import LullHost

struct LogAllowanceTests {
    private let app: AppIdentifier
    private let other: AppIdentifier

    init() throws {
        app = try #require(AppIdentifier("com.example.Flood"))
        other = try #require(AppIdentifier("com.example.Quiet"))
    }

    private func at(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `a flood is cut after a hundred lines a minute, and counted`() {
        var allowance = LogAllowance()
        let taken = (0..<1000).count { allowance.take(app, at: at(5 + Int64($0) / 100)).isTaken }
        #expect(taken == 100)
        // Other apps keep their allowance.
        #expect(allowance.take(other, at: at(15)) == .init(isTaken: true, leftOut: 0))
        #expect(allowance.take(app, at: at(64)) == .init(isTaken: false, leftOut: 0))
        #expect(allowance.take(app, at: at(65)) == .init(isTaken: true, leftOut: 901))
        #expect(allowance.take(app, at: at(66)) == .init(isTaken: true, leftOut: 0))
    }

    @Test func `what was left out is told once, when the app comes to rest`() {
        var allowance = LogAllowance()
        for _ in 0..<102 { _ = allowance.take(app, at: at(0)) }
        #expect(allowance.rest(app) == 2)
        #expect(allowance.rest(app) == 0)
        #expect(allowance.rest(other) == 0)
        // The minute goes on nevertheless.
        #expect(allowance.take(app, at: at(59)) == .init(isTaken: false, leftOut: 0))
        #expect(allowance.take(app, at: at(60)) == .init(isTaken: true, leftOut: 1))
    }

    @Test func `the sentence counts, and says where the lines are`() throws {
        #expect(LogAllowance.sentence(app, 0) == nil)
        let sentence = try #require(LogAllowance.sentence(app, 2))
        #expect(sentence.hasPrefix("com.example.Flood: logged 2 more lines, left out here"))
        #expect(sentence.contains("`lull history RUN`"))
    }
}
