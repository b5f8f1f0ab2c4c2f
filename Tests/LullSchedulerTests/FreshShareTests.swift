import LullModel
import Testing

@testable import LullScheduler

/// `budget: { fresh: 70% }`: a price of the app's own, and no refresh budget. The simulator's tests check on months of
/// uses that the share is met.
struct FreshShareTests {
    private static let weekly = Sample.task("com.example.Feed.weekly")

    private func host(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Self.weekly, .refresh) {
                    $0.freshShare = 0.9
                    $0.enabled = false
                },
                Sample.definition(Sample.refresh, .refresh) {
                    $0.repeat = .minutes(15)
                    $0.freshShare = 0.5
                    $0.fresh = .hours(4)
                    $0.objective = .hits
                    change(&$0)
                },
                Sample.definition(Sample.otherWork, of: Sample.other, .refresh) { $0.budget = 3 },
            ]))
        host.pass(.minutes(1))
        return host
    }

    private func price(afterUse span: Duration, in host: inout TestHost) -> Double? {
        host.advance(span)
        host.handle(.used(Sample.feed, at: host.now.wall))
        return host.records.last { $0.event == .used }?.price
    }

    @Test func `it fills no refresh budget, draws from none, and its gate says why`() {
        let host = host()
        #expect(host.launches(of: Sample.refresh).count == 1)
        #expect(host.state.budget == 3)
        let others = host.launches(of: Sample.otherWork).count
        #expect(host.state.ledger.spending.today(at: host.now.wall) == others)
        #expect(
            host.gate(.budget, of: Sample.refresh)?.reason
                == "as many launches as it takes to be fresh for 50 % of the uses")
    }

    @Test func `a fresh use raises the price, and an old one lowers it`() throws {
        var host = host()
        #expect(try #require(price(afterUse: .hours(2), in: &host)) > 1)
        var other = self.host()
        #expect(try #require(price(afterUse: .hours(5), in: &other)) < 1)
    }

    @Test func `a use of the same session counts once`() throws {
        var host = host()
        let first = price(afterUse: .hours(2), in: &host)
        #expect(price(afterUse: .minutes(10), in: &host) == nil)
        #expect(host.state.ledger.apps[Sample.feed]?.multiplier == first)
    }

    @Test func `the forecast tells for how long what it brings is fresh`() throws {
        let report = try #require(host().state.forecast(of: Sample.feed, at: host().now))
        let refresh = try #require(report.refreshes.first { $0.task == Sample.refresh })
        let launch = try #require(refresh.launches.first)
        #expect(launch.freshUntil == launch.time + .hours(4))
    }
}
