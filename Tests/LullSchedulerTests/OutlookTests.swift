import LullModel
import Testing

@testable import LullScheduler

/// The outlook that `why` gives.
@Suite struct OutlookTests {
    private static let cleaning = Sample.cleaning

    /// Four weeks in which the host was on power from 19:00 to 08:00, up to the present.
    private static func evenings(until day: Int) -> Ledger {
        var ledger = Ledger()
        for number in (day - 28)..<day {
            for (from, to, isOpen) in [
                (WallTime.at(number - 1, 19), WallTime.at(number, 8), true),
                (.at(number, 8), .at(number, 19), false),
            ] {
                var event = HistoryEvent(.conditions, at: to, app: .host)
                event.milliseconds = (to - from).milliseconds
                event.shares = ["external_power": isOpen ? 1 : 0]
                event.gates = isOpen ? ["external_power"] : []
                ledger.apply(event, zones: .utc)
            }
        }
        return ledger
    }

    private static let onBattery = Conditions(externalPower: .known(false))

    private static func host(
        _ manifest: Manifest, at time: WallTime = .at(0, 12), ledger: Ledger = evenings(until: 0),
        conditions: Conditions = onBattery
    ) -> TestHost {
        TestHost(manifest, at: time, ledger: ledger, conditions: conditions)
    }

    private static func onPower(_ change: (inout TaskDefinition) -> Void = { _ in }) -> Manifest {
        Sample.simple {
            $0.requires.externalPower = true
            $0.line = 14
            change(&$0)
        }
    }

    private static func discovered(_ time: WallTime) -> Ledger {
        var ledger = Ledger()
        var event = HistoryEvent(.discovered, at: time, app: Sample.feed)
        event.registered = [cleaning]
        event.stamp = "1"
        ledger.apply(event, zones: .utc)
        return ledger
    }

    private func opening(_ gate: GateName, of outlook: Outlook) -> Outlook.Opening? {
        outlook.gates.first { $0.gate == gate }?.opening
    }

    private func probabilities(_ outlook: Outlook) -> [Double] { outlook.chances.map(\.probability) }

    @Test func `a habit of every evening is expected this evening`() throws {
        var host = Self.host(Self.onPower())
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, by: .at(0, 20), at: host.now)
        guard case .likely(let half?, let most?) = opening(.externalPower, of: outlook) else {
            Issue.record("\(outlook.gates)")
            return
        }
        #expect(.at(0, 19) <= half && half <= most && most <= .at(0, 20))
        #expect(outlook.chances.map(\.by) == [.at(0, 13), .at(0, 18), .at(1, 12), .at(7, 12)])
        let chances = probabilities(outlook)
        #expect(chances[0] < 0.05)
        #expect(chances[1] < 0.05)
        #expect(chances[2] > 0.95)
        #expect(chances == chances.sorted())
        let asked = try #require(outlook.asked)
        #expect(asked.by == .at(0, 20))
        #expect(asked.probability > 0.85)
        let likely = try #require(outlook.most)
        #expect(.at(0, 19) <= likely && likely <= .at(0, 20, 30))
        #expect(outlook.certain == nil)
    }

    @Test func `the same question at the same time has the same answer`() {
        var host = Self.host(Self.onPower())
        _ = host.submit(Self.cleaning)
        let first = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(host.state.outlook(for: Self.cleaning, at: host.now) == first)
    }

    @Test func `a condition that never held is hardly expected to`() {
        var ledger = Ledger()
        var event = HistoryEvent(.conditions, at: .at(0, 12), app: .host)
        event.milliseconds = 28 * 86_400_000
        event.shares = ["external_power": 0]
        event.gates = ["external_power"]
        ledger.apply(event, zones: .utc)
        var host = Self.host(Self.onPower(), ledger: ledger)
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(probabilities(outlook).allSatisfy { $0 < 0.05 })
        #expect(outlook.most == nil)
        #expect(opening(.externalPower, of: outlook) == .likely(half: nil, most: nil))
    }

    @Test func `a task that nothing holds back runs`() {
        // The host launches nothing: another host would have launched the task already.
        var host = TestHost(
            Sample.simple(), ledger: Self.discovered(.at(-1, 0)), options: .init(launches: false))
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(probabilities(outlook) == [1, 1, 1, 1])
        #expect(outlook.certain == host.now.wall)
        #expect(outlook.lasting == [])
    }

    @Test func `what time alone opens is exact`() {
        var host = TestHost(
            Sample.simple { $0.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")] },
            at: .at(0, 12))
        _ = host.submit(Self.cleaning, begin: .at(0, 18))
        let outlook = host.state.outlook(for: Self.cleaning, by: .at(1, 0, 59), at: host.now)
        #expect(opening(.earliestBegin, of: outlook) == .at(.at(0, 18)))
        #expect(opening(.window, of: outlook) == .at(.at(1, 1)))
        #expect(outlook.certain == .at(1, 1))
        #expect(outlook.most == .at(1, 1))
        #expect(probabilities(outlook) == [0, 0, 1, 1])
        #expect(outlook.asked?.probability == 0)
    }

    @Test func `a window and a condition have to be open together`() {
        // Power comes at 19:00 and the window is open by day: never both.
        var host = Self.host(
            Self.onPower { $0.windows = [Window(opens: 600, closes: 900, text: "10:00-15:00")] })
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(probabilities(outlook).dropLast().allSatisfy { $0 < 0.05 })
    }

    @Test func `with too little history no number is given`() {
        var host = Self.host(Self.onPower(), ledger: Ledger())
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(outlook.chances == [])
        #expect(
            outlook.unknown
                == "too little is known yet of when external_power opens (nothing seen, 7 d are needed)")
        #expect(opening(.externalPower, of: outlook) == .unknown(outlook.unknown ?? ""))
        // The advice does not depend on the forecast.
        #expect(outlook.now.map(\.sentence) == ["launch it with `lull launch com.example.Feed.cleaning`"])
    }

    @Test func `a gate that somebody has to open never opens by itself`() {
        var host = Self.host(Self.onPower())
        _ = host.submit(Self.cleaning)
        let token = host.token()
        host.handle(.enabled(Sample.feed, false, reply: token))
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(opening(.enabled, of: outlook) == .never)
        #expect(probabilities(outlook) == [0, 0, 0, 0])
        #expect(
            outlook.now.map(\.sentence) == [
                "enable it with `lull enable com.example.Feed`",
                "launch it with `lull launch com.example.Feed.cleaning`",
            ])
        #expect(outlook.now.map(\.gates) == [[.enabled], [.externalPower]])
        #expect(outlook.lasting == [])
    }

    @Test func `a task that the manifest does not list is to be added to it`() {
        let host = TestHost(Sample.simple())
        let outlook = host.state.outlook(for: Sample.task("com.example.Feed.other"), at: host.now)
        #expect(outlook.gates == [.init(.permitted, .never)])
        #expect(outlook.now.map(\.sentence) == ["add it to the tasks of its app in jobs.yaml"])
        #expect(outlook.chances == [])
    }

    @Test func `the key to relax is named with its line`() {
        var host = Self.host(Self.onPower())
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(
            outlook.lasting == [
                .init(
                    [.externalPower],
                    "take out `external_power` under the `requires` of the task at jobs.yaml:14")
            ])
    }

    @Test func `what the plugin requires can't be relaxed in the manifest`() {
        var host = Self.host(Sample.simple())
        _ = host.submit(
            Self.cleaning, from: Sample.feed, requires: Requirements(externalPower: true))
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(outlook.gates.map(\.gate) == [.externalPower])
        #expect(outlook.lasting == [])
        // Its condition is known all the same.
        #expect(outlook.unknown == nil)
    }

    @Test func `an idle app's task comes back with the use that is forecast`() {
        var ledger = Self.discovered(.at(-40, 0))
        for day in -40..<(-9) {
            ledger.apply(HistoryEvent(.used, at: .at(day, 9), app: Sample.feed), zones: .utc)
        }
        var host = TestHost(Sample.simple(), at: .at(0, 12), ledger: ledger)
        _ = host.submit(Self.cleaning)
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        guard case .likely = opening(.idleApp, of: outlook) else {
            Issue.record("\(outlook.gates)")
            return
        }
        let chances = probabilities(outlook)
        #expect(chances[0] < chances[3])
        #expect(chances[3] > 0.2)
        #expect(chances[0] < 0.5)
        #expect(outlook.lasting.map(\.gates) == [[.idleApp]])
    }

    @Test func `an app that will be idle by then is not launched then`() {
        var host = TestHost(
            Sample.manifest([Sample.definition(Self.cleaning, .processing) { $0.requires.idle = false }]) {
                $0.idleAfter = .days(2)
            }, at: .at(0, 12))
        host.handle(.used(Sample.feed, at: .at(0, 12)))
        _ = host.submit(Self.cleaning, begin: .at(3, 0))
        let outlook = host.state.outlook(for: Self.cleaning, at: host.now)
        #expect(probabilities(outlook) == [0, 0, 0, 0])
    }

    @Test func `a refresh waits for its planned moment unless a use changes the plan`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.discovered, at: .at(-30, 0), app: Sample.feed), zones: .utc)
        for day in -28..<0 {
            ledger.apply(HistoryEvent(.used, at: .at(day, 18, 30), app: Sample.feed), zones: .utc)
        }
        var host = TestHost(
            Sample.manifest([Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) }]),
            at: .at(0, 12), ledger: ledger)
        host.complete()
        #expect(host.closed(Sample.refresh).contains(.earliestBegin))
        let outlook = host.state.outlook(for: Sample.refresh, at: host.now)
        let chances = probabilities(outlook)
        #expect(chances.count == 4)
        #expect(chances[0] < 0.5)
        #expect(chances[2] > 0.8)
    }
}
