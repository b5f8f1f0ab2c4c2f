import LullModel
import Testing

@testable import LullUsage

@Suite struct SessionTimesTests {
    private func sessions(_ minutes: [Int64], beside recorded: [Int64] = []) -> [Int64] {
        var times = SessionTimes()
        for minute in minutes { times.add(WallTime(seconds: minute * 60)) }
        return times.sessions(beside: recorded.map { WallTime(seconds: $0 * 60) }).map { $0.seconds / 60 }
    }

    @Test(
        arguments: [
            ([], [], []),
            ([100], [], [100]),
            ([100, 129], [], [100]),
            ([100, 130], [], [100, 130]),
            ([130, 100, 115], [], [100, 130]),
            ([100, 200], [100], [200]),
            ([100, 200], [110], [200]),
            ([100, 200], [90, 199], []),
            ([100], [130], [100]),
            ([100], [70], [100]),
            ([100, 120, 140], [90], [120]),
        ] as [([Int64], [Int64], [Int64])])
    func `uses are recorded half an hour apart`(minutes: [Int64], recorded: [Int64], expected: [Int64]) {
        #expect(sessions(minutes, beside: recorded) == expected)
    }

    @Test func `the order in which times come makes no difference, and a second time adds nothing`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<60 {
            let count = Int.random(in: 1...9000, using: &random)
            let minutes = (0..<count).map { _ in Int64.random(in: 0...40_000, using: &random) }
            let first = sessions(minutes.shuffled(using: &random))
            #expect(first == sessions(minutes.sorted()))
            #expect(first == sessions(minutes.sorted().reversed()))
            #expect(sessions(minutes, beside: first) == [])
            #expect(zip(first, first.dropFirst()).allSatisfy { $1 - $0 >= 30 })
        }
    }

    @Test func `a log of any length needs the room of its minutes`() {
        var times = SessionTimes()
        var random = SeededGenerator(seed: 10)
        for _ in 0..<200_000 {
            times.add(WallTime(seconds: Int64.random(in: 0..<6000, using: &random)))
        }
        #expect(times.count < 9000)
    }
}
