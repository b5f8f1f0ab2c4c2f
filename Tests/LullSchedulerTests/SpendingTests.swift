import LullModel
import Testing

@testable import LullScheduler

/// The refresh budget and its price.
struct SpendingTests {
    private func spending(_ times: [WallTime]) -> Spending {
        var spending = Spending()
        for time in times { spending.note(launchAt: time) }
        return spending
    }

    @Test func `a launch leaves the count a day after the beginning of its quarter-hour`() {
        let spending = spending([.at(0, 8, 7)])
        #expect(spending.today(at: .at(1, 8) - .milliseconds(1)) == 1)
        #expect(spending.today(at: .at(1, 8)) == 0)
        #expect(spending.falls(below: 1, at: .at(0, 9)) == .at(1, 8))
        #expect(spending.falls(below: 2, at: .at(0, 9)) == nil)
    }

    @Test func `launches of the future do not count, for the clock was set back`() {
        #expect(spending([.at(3, 8)]).today(at: .at(0, 8)) == 0)
    }

    @Test func `what is older than a week is forgotten`() {
        #expect(spending((0..<14).map { .at($0, 8) }).quarters.count == 7)
    }

    @Test func `order makes no difference to the count`() {
        #expect(
            spending([.at(1, 8), .at(0, 20), .at(1, 8)]).quarters
                == spending([.at(0, 20), .at(1, 8), .at(1, 8)]).quarters)
    }

    @Test func `the price stands still where as many are launched as are budgeted`() {
        func price(_ launchesPerDay: Int, days: Int, budget: Double = 8) -> Double {
            var spending = Spending()
            for launch in 0..<launchesPerDay * days {
                let time =
                    WallTime.at(0, 0) + .milliseconds(86_400_000 * Int64(launch) / Int64(launchesPerDay))
                spending.multiplier = Price.multiplier(afterLaunchAt: time, spending, perDay: budget)
                spending.priced = time
            }
            return Price.multiplier(spending, at: .at(days, 0), perDay: budget)
        }
        #expect(abs(price(8, days: 60) - 1) < 0.01)
        #expect(price(16, days: 14) > 1.9 && price(4, days: 14) < 0.75)
        // The price has bounds, and a host that was off for a year does not give its launches away.
        #expect(price(96, days: 400) > 0.99 * Price.range.upperBound)
        var spending = Spending()
        spending.priced = .at(0, 0)
        #expect(Price.multiplier(spending, at: .at(365, 0), perDay: 8) > 0.9)
        // A clock that was set back changes nothing.
        #expect(Price.multiplier(spending, at: .at(-3, 0), perDay: 8) == 1)
    }

    @Test
    func
        `a new refresh budget that is overspent becomes dear within days, and is like any other after months`()
    {
        func spending(_ launchesPerDay: Int, days: Int, budget: Double) -> Spending {
            var spending = Spending()
            for launch in 0..<launchesPerDay * days {
                let time =
                    WallTime.at(0, 0) + .milliseconds(86_400_000 * Int64(launch) / Int64(launchesPerDay))
                let price = Price.multiplier(afterLaunchAt: time, spending, perDay: budget)
                spending.price(price, at: time, perDay: budget)
            }
            return spending
        }
        func factor(_ launchesPerDay: Int, days: Int, budget: Double) -> Double {
            Price.factor(
                spending(launchesPerDay, days: days, budget: budget), at: .at(days, 0), perDay: budget)
        }
        // A fifth too much for five days raises it by a third and more, a fifth too little lowers it.
        let even = factor(400, days: 5, budget: 400)
        #expect(factor(480, days: 5, budget: 400) > 1.35 * even)
        #expect(factor(320, days: 5, budget: 400) < 0.8 * even)
        // A budget with few days of experience makes launches dearer at first.
        #expect(factor(400, days: 1, budget: 400) > 1.3 && factor(400, days: 60, budget: 400) < 1.05)
        // With few launches a day, a surplus is mostly chance.
        #expect(factor(6, days: 5, budget: 4) < 0.1 * factor(600, days: 5, budget: 400))
        #expect(spending(8, days: 120, budget: 8).newBudget != nil)
        #expect(spending(8, days: 122, budget: 8).newBudget == nil)
        #expect(Price.factor(Spending(), at: .at(0, 0), perDay: 8) > 1.5)
    }

    @Test func `a larger budget begins with a lower price, for every objective`() {
        for objective in Objective.allCases {
            let prices = [0.0, 0.5, 1, 4, 8, 96].map { Price.base(objective, perDay: $0) }
            #expect(prices == prices.sorted(by: >) && prices.allSatisfy { $0 > 0 })
        }
    }

    @Test func `a share of fresh uses moves the price until it is met`() {
        var price = 1.0
        for use in 0..<200 {
            // Fresh for half of the uses, where seven in ten are asked for: launches become cheaper.
            price = Price.multiplier(price, wasFresh: use % 2 == 0, share: 0.7)
        }
        #expect(price < 0.05)
        for use in 0..<200 { price = Price.multiplier(price, wasFresh: use % 10 != 0, share: 0.7) }
        #expect(price > 1)
    }

    @Test func `less than one launch a day is one in as many days`() {
        let budget = Budget(perDay: 0.25)
        #expect(budget.nextLaunch(Spending(), at: .at(0, 0)) == nil)
        #expect(budget.nextLaunch(spending([.at(0, 8)]), at: .at(1, 8)) == .at(2, 8))
        #expect(budget.nextLaunch(spending([.at(0, 8)]), at: .at(2, 8)) == nil)
        #expect(Budget(perDay: 0).nextLaunch(Spending(), at: .at(0, 0)) == .distantFuture)
    }

    @Test func `all apps share one refresh budget, idle ones bring nothing`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.refresh, .refresh) { $0.budget = 3 },
                Sample.definition(Sample.otherWork, of: Sample.other, .refresh) { $0.budget = 2.5 },
                Sample.definition(Sample.cleaning, .processing),
            ]))
        #expect(host.state.budget == 5.5)
        host.handle(.used(Sample.feed, at: .at(0, 0)))
        host.pass(.days(3))
        host.handle(.used(Sample.feed, at: host.now.wall))
        host.pass(.days(5))
        #expect(host.state.budget == 3)
        host.handle(.used(Sample.other, at: host.now.wall))
        #expect(host.state.budget == 5.5)
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        #expect(host.state.budget == 2.5)
    }

    @Test
    func `whatever the forecast says, no more are launched in a day than twice the refresh budget holds`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.refresh, .refresh) {
                    $0.repeat = .minutes(15); $0.budget = 5
                }
            ]))
        for hour in 0..<24 * 4 {
            host.pass(.at(0, hour) - host.now.wall)
            host.handle(.used(Sample.feed, at: host.now.wall))
        }
        let launches = host.launches(of: Sample.refresh)
        for launch in launches {
            #expect(launches.count { $0 > launch && $0 - launch < .hours(24) - .minutes(15) } < 10)
        }
        // The budget is spent, and not hoarded.
        #expect(launches.count >= 4 * 3)
    }

    @Test func `a refresh budget that grows is drawn from at once`() {
        let manifest = Sample.manifest([
            Sample.definition(Sample.refresh, .refresh) {
                $0.repeat = .minutes(15); $0.budget = 2
            },
            Sample.definition(Sample.otherWork, of: Sample.other, .refresh) { $0.budget = 40 },
        ]) { if $0.identifier == Sample.feed { $0.idleAfter = nil } }
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-20, 0), app: Sample.other), zones: .utc)
        var host = TestHost(manifest, ledger: ledger)
        for _ in 0..<4 {
            host.pass(.hours(1), completing: false) { !$0.running.isEmpty }
            host.complete(success: false)
        }
        host.pass(.at(0, 6) - host.now.wall)
        #expect(host.launches(of: Sample.refresh).count == 4)
        #expect(host.closed(Sample.refresh) == [.budget])
        host.handle(.used(Sample.other, at: host.now.wall))
        #expect(host.launches(of: Sample.refresh).last == .at(0, 6))
    }
}
