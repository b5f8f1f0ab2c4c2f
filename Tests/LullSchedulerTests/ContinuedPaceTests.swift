import LullModel
import Testing

@testable import LullScheduler

/// Ten continued tasks of an app are launched at once, then one every 10 s, whichever identifiers it submits.
struct ContinuedPaceTests {
    private static let exports = Sample.task("com.example.Feed.export.*")

    private func host() -> TestHost {
        var host = TestHost()
        host.registers[Sample.feed] = [Self.exports]
        host.load(
            Sample.manifest([Sample.definition(Self.exports, .continued)], concurrency: 20) {
                $0.concurrency = 20
            })
        return host
    }

    /// The launches of each second, where a run ends within 50 ms and the next request comes before or after that end.
    private func launches(
        for seconds: Int, asksBeforeTheEnd: Bool, naming name: (Int) -> String
    ) -> [Int] {
        var host = host()
        var asked = 0
        var counts: [Int] = []
        func ask() {
            _ = host.submit(Sample.task("com.example.Feed.export.\(name(asked))"), from: Sample.feed)
            asked += 1
        }
        ask()
        for _ in 0..<seconds {
            let begun = host.records.count { $0.event == .launched }
            for _ in 0..<20 {
                let ending = host.state.runs.keys.sorted()
                if !ending.isEmpty, asksBeforeTheEnd { ask() }
                for run in ending { host.handle(.completed(run, success: true, summary: nil)) }
                if !ending.isEmpty, !asksBeforeTheEnd { ask() }
                host.advance(.milliseconds(50))
                host.handle(.wake)
            }
            counts.append(host.records.count { $0.event == .launched } - begun)
        }
        return counts
    }

    @Test(arguments: [true, false])
    func `a task that asks for itself`(before: Bool) {
        let counts = launches(for: 100, asksBeforeTheEnd: before) { _ in "same" }
        #expect((18...21).contains(counts.reduce(0, +)))
    }

    @Test(arguments: [true, false])
    func `two that ask for each other`(before: Bool) {
        let counts = launches(for: 100, asksBeforeTheEnd: before) { $0.isMultiple(of: 2) ? "one" : "two" }
        #expect((18...21).contains(counts.reduce(0, +)))
    }

    @Test(arguments: [true, false])
    func `each asks for one with a new identifier`(before: Bool) {
        let counts = launches(for: 100, asksBeforeTheEnd: before) { "\($0)" }
        #expect((18...21).contains(counts.reduce(0, +)))
    }

    @Test func `a person's ten wishes go at once, and an operator's launch is not counted`() {
        var host = host()
        for number in 0..<10 {
            _ = host.submit(Sample.task("com.example.Feed.export.\(number)"), from: Sample.feed)
        }
        #expect(host.records.count { $0.event == .launched } == 10)
        _ = host.submit(Sample.task("com.example.Feed.export.10"), from: Sample.feed)
        #expect(
            host.gate(.rateLimit, of: Sample.task("com.example.Feed.export.10"))?.reason
                == "its app has had many continued tasks launched: after a burst of 10, one every 10 s")
        _ = host.submit(Sample.task("com.example.Feed.export.11"))
        #expect(host.launches(of: Sample.task("com.example.Feed.export.11")).count == 1)
        #expect(host.records.count { $0.event == .used } == 1)
    }

    @Test func `after a rest ten go at once again, and a clock that was set back holds nobody up`() {
        var pace = ContinuedPace(launchAt: .at(0, 12))
        for _ in 0..<9 { pace.note(launchAt: .at(0, 12)) }
        #expect(pace.opening(at: .at(0, 12)) == .at(0, 12) + .seconds(10))
        #expect(pace.opening(at: .at(0, 12) + .seconds(10)) == nil)
        #expect(pace.opening(at: .at(0, 6)) == nil)
        pace.note(launchAt: .at(0, 6))
        #expect(pace.opening(at: .at(0, 6)) == nil)
        for _ in 0..<9 { pace.note(launchAt: .at(0, 6)) }
        #expect(pace.opening(at: .at(0, 6)) == .at(0, 6) + .seconds(10))
        #expect(pace.opening(at: .at(0, 6) + .minutes(2)) == nil)
    }
}
