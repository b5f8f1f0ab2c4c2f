import LullModel
import Synchronization
import TestSupport
import Testing

@testable import LullAnswers
@testable import LullWeb

/// A history of any length, and any number of scrapes.
struct MetricsCountTests {
    private let token = String(repeating: "0f", count: 32)

    private func uses(_ count: Int) throws -> [HistoryEvent] {
        let app = try AppIdentifier.of("com.example.App")
        return (0..<count).map { HistoryEvent(.used, at: at(0) + .milliseconds($0), app: app) }
    }

    @Test func `a long history is read in parts`() async throws {
        let answers = try FakeAnswers(now: at(8), events: try uses(2 * MetricsCount.part + 5))
        let count = MetricsCount(answers: answers)
        #expect(try await count.upToDate(tasks: nil).uses.values.first == UInt64(2 * MetricsCount.part + 5))
        #expect(answers.followed.withLock { $0.map(\.count) } == [MetricsCount.part, MetricsCount.part, 5])
        _ = try await count.upToDate(tasks: nil)
        #expect(answers.followed.withLock { $0.last?.after } == Int64(2 * MetricsCount.part + 5))
    }

    @Test func `scrapes that come together have it read once, and not too many wait`() async throws {
        let crowd = Crowd()
        // The history is held back until all wait; a further scrape is refused.
        let answers = try FakeAnswers(
            now: at(8), events: try uses(3),
            onFollow: { _ in
                guard let count = crowd.count.withLock({ $0 }) else { return }
                while await count.waiting < MetricsCount.limit { await Task.yield() }
                let refusal = await #expect(throws: WebRefusal.self) { try await count.upToDate(tasks: nil) }
                #expect(refusal?.status == 503)
            })
        let count = MetricsCount(answers: answers)
        crowd.count.withLock { $0 = count }
        let counted = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for _ in 0..<MetricsCount.limit {
                group.addTask { try await count.upToDate(tasks: nil).uses.values.first }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counted == Array(repeating: 3, count: MetricsCount.limit))
        #expect(answers.followed.withLock { $0.map(\.after) } == [0])
        #expect(await count.waiting == 0)
    }

    @Test func `what fits a wildcard of the manifest is counted under it`() async throws {
        let app = try AppIdentifier.of("com.example.Photo")
        let wildcard = try TaskIdentifier.of("com.example.Photo.export.*")
        let listed = try TaskIdentifier.of("com.example.Photo.export.all")
        var events: [HistoryEvent] = []
        for number in 0..<50 {
            let task = try TaskIdentifier.of("com.example.Photo.export.album\(number)")
            for name in [HistoryEvent.Name.deferred, .launched, .completed] {
                var event = HistoryEvent(
                    name, at: at(number / 10), app: app, task: task, run: RunID(UInt64(number)),
                    outcome: .succeeded)
                event.milliseconds = 20
                events.append(event)
            }
        }
        events.append(HistoryEvent(.launched, at: at(7), app: app, task: listed, run: RunID(99)))
        let count = MetricsCount(answers: try FakeAnswers(now: at(8), events: events))
        let fold = try await count.upToDate(tasks: [wildcard, listed])
        #expect(fold.launches.mapKeys(\.task) == [wildcard: 50, listed: 1])
        #expect(fold.runs.mapKeys(\.task) == [wildcard: 50])
        #expect(Array(fold.durations.keys) == [wildcard])
        #expect(Array(fold.lastSuccess.keys) == [wildcard])
        #expect(Set(fold.waiting(at: at(8)).keys.map(\.task)) == [wildcard])
        #expect(try await count.upToDate(tasks: nil).launches.count == 2)
        #expect(try await count.upToDate(tasks: [listed]).launches.count == 51)
    }
}

private final class Crowd: Sendable {
    let count = Mutex<MetricsCount?>(nil)
}

extension Dictionary {
    fileprivate func mapKeys<Other: Hashable>(_ change: (Key) -> Other) -> [Other: Value] {
        Dictionary<Other, Value>(uniqueKeysWithValues: map { (change($0.key), $0.value) })
    }
}
