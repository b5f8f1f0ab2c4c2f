import LullCalendar
import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// The judge of each gate has to be able to object to a launch through it.
@Suite struct InvariantsLaunchTests {
    private func finds(
        _ words: String, in bench: InvariantsBench,
        _ script: (inout InvariantsPlay) -> Void = { $0.launchAsked() }
    ) -> Bool {
        bench.finds(words, script)
    }

    private func bench(_ conditions: Conditions, _ change: (inout TaskDefinition) -> Void) -> InvariantsBench
    {
        var bench = InvariantsBench(change)
        bench.conditions = conditions
        return bench
    }

    @Test func `a launch through open gates is no fault`() {
        #expect(InvariantsBench().faults { $0.launchAsked() } == [])
    }

    @Test func `permitted: another kind than the manifest's is a fault`() {
        let bench = InvariantsBench { $0.kind = .refresh }
        #expect(
            finds("is launched as processing", in: bench) { play in
                play.record(.submitted, request: 1)
                play.launch(run: 1, request: 1, kind: .processing)
            })
    }

    @Test func `registered, enabled and requested`() {
        #expect(
            finds("registered no handler", in: InvariantsBench()) { play in
                play.register(nothing: true)
                play.launchAsked()
            })
        #expect(finds("while it is disabled", in: InvariantsBench { $0.enabled = false }))
        #expect(
            finds("while it is disabled", in: InvariantsBench()) { play in
                play.record(.disabled, reason: "by an operator")
                play.launchAsked()
            })
        #expect(finds("nobody has asked for it", in: InvariantsBench()) { $0.launch(run: 1, request: nil) })
    }

    @Test func `idle app: neither launched nor started`() {
        var bench = InvariantsBench()
        bench.app.idleAfter = .days(7)
        let script: (inout InvariantsPlay) -> Void = { play in
            play.record(.used)
            play.pass(.days(7) + .milliseconds(1))
        }
        #expect(
            bench.finds("after its app became idle") { play in
                script(&play)
                play.launchAsked()
            })
        #expect(
            bench.finds("after it became idle") { play in
                script(&play)
                play.start()
            })
    }

    @Test func `earliest begin, window and shutting down`() {
        #expect(finds("before its begin date", in: InvariantsBench()) { $0.launchAsked(begin: .seconds(1)) })
        let night = Window(opens: 60, closes: 120, text: "01:00-02:00")
        #expect(finds("outside its windows", in: InvariantsBench { $0.windows = [night] }))
        var bench = InvariantsBench()
        bench.isShuttingDown = true
        #expect(finds("while the host is shutting down", in: bench))
    }

    @Test func `days: a launch on a closed day, or in a window that opened on one, is a fault`() {
        let monday = Int(InvariantsPlay.monday.seconds / 86_400)
        let today = DaySpan(monday, through: monday)
        let mondays = DayList(
            texts: [], once: [],
            again: [RepeatedDays(DaySpan(monday - 7, through: monday - 7), .days(7))])
        let tuesday = DayList(texts: [], once: [DaySpan(monday + 1, through: monday + 1)])
        for days in [
            OpenDays(except: DayList(texts: [], once: [today])), OpenDays(except: mondays),
            OpenDays(only: tuesday), OpenDays(from: monday + 1), OpenDays(until: monday - 1),
        ] {
            #expect(finds("is launched on a closed day", in: InvariantsBench { $0.days = days }))
        }
        for days in [OpenDays(except: tuesday), OpenDays(only: mondays, from: monday, until: monday)] {
            #expect(InvariantsBench { $0.days = days }.faults { $0.launchAsked() } == [])
        }
        let nightly = InvariantsBench {
            $0.windows = [Window(opens: 1320, closes: 420, text: "22:00-07:00")]
            $0.days = OpenDays(except: mondays)
        }
        #expect(nightly.faults { $0.launchAsked() } == [])
        #expect(
            finds("in a window that opened on a closed day", in: nightly) { play in
                play.pass(.hours(25))
                play.launchAsked()
            })
    }

    @Test func `days: a time of an open day that is later than its tolerance is a fault on a closed one`()
        throws
    {
        let monday = Int(InvariantsPlay.monday.seconds / 86_400)
        let times = try ExactTimes("55 23 * * *")
        let bench = InvariantsBench {
            $0.at = times
            $0.tolerance = .minutes(10)
            $0.days = OpenDays(until: monday)
        }
        func faults(after late: Duration) -> [String] {
            let faults = bench.faults { play in
                play.pass(.days(1) - .minutes(5))
                play.occurrence = Occurrence(time: InvariantsPlay.monday + .days(1) - .minutes(5))
                play.record(.submitted, request: 1, origin: .at, begin: .zero)
                play.pass(late)
                play.launch(run: 1, request: 1)
            }
            return faults.filter { $0.contains("on a closed day") }
        }
        #expect(faults(after: .minutes(10)) == [])
        #expect(faults(after: .minutes(11)).count == 1)
    }

    @Test func `conditions: each that does not hold is a fault`() {
        #expect(
            finds(
                "on battery",
                in: bench(Conditions(externalPower: .known(false))) { $0.requires.externalPower = true }))
        #expect(
            finds(
                "without network",
                in: bench(Conditions(network: .unknown("?"))) { $0.requires.network = .any }))
        #expect(
            finds(
                "on a metered network",
                in: bench(Conditions(network: .known(.metered))) { $0.requires.network = .unmetered }))
        #expect(
            finds(
                "on too little charge",
                in: bench(Conditions(battery: .known(0.4))) { $0.requires.batteryAbove = 0.4 }))
        #expect(finds("under load", in: bench(Conditions(load: 0.5)) { $0.requires.loadBelow = 0.5 }))
        #expect(finds("on a full disk", in: bench(Conditions(diskFree: 9)) { $0.requires.diskFree = 10 }))
        #expect(
            finds(
                "while the host is in use",
                in: bench(Conditions(presence: .known(.active))) { $0.requires.idle = true }))
    }

    @Test func `moment: processing that does not wait for a quiet host is a fault`() {
        let busy = bench(Conditions(presence: .known(.active))) { $0.latest = .hours(3) }
        #expect(finds("while the host is in use", in: busy) { $0.launchAsked(origin: .repeat) })
        #expect(
            busy.faults { play in
                play.record(.submitted, request: 1, origin: .repeat)
                play.pass(.hours(3))
                play.launch(run: 1, request: 1)
            } == [])
    }

    @Test func `rate limit: two refreshes in a gap, and a plugin that asks at once`() {
        let bench = InvariantsBench { task in
            task.kind = .refresh
            task.concurrency = 2
        }
        #expect(
            finds("after a refresh of its app", in: bench) { play in
                play.launchAsked(1)
                play.pass(.minutes(14))
                play.launchAsked(2)
            })
        #expect(
            finds("at its plugin's wish", in: InvariantsBench()) { play in
                play.launchAsked(1)
                play.end(run: 1, .succeeded, after: .minutes(4))
                play.pass(.minutes(3))
                play.launchAsked(2, origin: .plugin)
            })
    }

    @Test func `budget: more than twice the refresh budget in a day is a fault`() {
        let bench = InvariantsBench { task in
            task.kind = .refresh
            task.budget = 1
        }
        #expect(
            finds("3 refresh launches in a day", in: bench) { play in
                for number in UInt64(1)...3 {
                    play.launchAsked(number)
                    play.end(run: number, .succeeded)
                    play.pass(.hours(1))
                }
            })
    }

    @Test func `backoff: a launch before its wait is over is a fault`() {
        #expect(
            finds("after its failure 2", in: InvariantsBench()) { play in
                for number in UInt64(1)...2 {
                    play.launchAsked(number)
                    play.end(run: number, .failed)
                    play.pass(.seconds(30))
                }
                play.launchAsked(3)
            })
    }

    @Test func `concurrency: one too many on task, app and host is a fault`() {
        #expect(
            finds("2 runs of com.example.A.t at once", in: InvariantsBench()) { play in
                play.launchAsked(1)
                play.launchAsked(2)
            })
        var host = InvariantsBench { $0.concurrency = 3 }
        host.hostConcurrency = 1
        #expect(
            finds("2 runs at once on the host", in: host) { play in
                play.launchAsked(1)
                play.launchAsked(2)
            })
        var app = InvariantsBench { $0.concurrency = 3 }
        app.app.concurrency = 1
        #expect(
            finds("2 runs of com.example.A at once", in: app) { play in
                play.launchAsked(1)
                play.launchAsked(2)
            })
    }
}
