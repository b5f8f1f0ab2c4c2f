import Foundation
import LullModel
import Testing

@testable import LullScheduler

struct AbsencesTests {
    private func absences(_ spans: (until: WallTime, hours: Int)...) -> Absences {
        var absences = Absences()
        for span in spans { absences.add(until: span.until, milliseconds: Int64(span.hours) * 3_600_000) }
        return absences
    }

    @Test func `what lies in a span counts, and of what reaches into it that part`() {
        let absences = absences((.at(1, 6), 8), (.at(2, 6), 8))
        #expect(absences.length(from: .at(0, 0), until: .at(3, 0)) == .hours(16))
        #expect(absences.length(from: .at(1, 0), until: .at(3, 0)) == .hours(14))
        #expect(absences.length(from: .at(1, 6), until: .at(2, 0)) == .hours(2))
        #expect(absences.length(from: .at(1, 6), until: .at(1, 22)) == .zero)
        #expect(absences.length(from: .at(3, 0), until: .at(1, 0)) == .zero)
    }

    @Test func `in any order it is the same`() {
        let one = absences((.at(1, 6), 8), (.at(2, 6), 8), (.at(3, 6), 8))
        #expect(one == absences((.at(3, 6), 8), (.at(1, 6), 8), (.at(2, 6), 8)))
    }

    @Test func `no moment counts twice`() {
        let absences = absences((.at(1, 6), 8), (.at(1, 4), 8), (.at(1, 6), 8))
        #expect(absences.length(from: .at(0, 0), until: .at(2, 0)) == .hours(10))
    }

    @Test func `what lies ahead was before the clock was set back, and does not count again`() {
        var ledger = Ledger()
        ledger.apply(Absence(.asleep, until: .at(1, 6), for: .hours(8)).event, zones: .utc)
        ledger.apply(Absence(.asleep, until: .at(2, 6), for: .hours(8)).event, zones: .utc)
        // Neither a use that is read late nor conditions that end says what time it is.
        ledger.apply(HistoryEvent(.used, at: .at(0, 1), app: Sample.feed), zones: .utc)
        ledger.apply(HistoryEvent(.conditions, at: .at(2, 5), app: .host), zones: .utc)
        #expect(ledger.absences.length(from: .at(0, 0), until: .at(3, 0)) == .hours(16))
        ledger.apply(HistoryEvent(.idleSoon, at: .at(1, 2), app: Sample.feed), zones: .utc)
        #expect(ledger.absences.length(from: .at(0, 0), until: .at(3, 0)) == .hours(4))
        ledger.apply(Absence(.asleep, until: .at(1, 1), for: .hours(1)).event, zones: .utc)
        #expect(ledger.absences.length(from: .at(0, 0), until: .at(3, 0)) == .hours(3))
    }

    @Test func `beyond its bound the oldest become one, and their sum stays`() {
        var absences = Absences()
        for hour in 0..<1000 { absences.add(until: .at(0, hour), milliseconds: 600_000) }
        #expect(absences.spans.count == Absences.limit)
        #expect(absences.length(from: .at(-1, 0), until: .at(50, 0)) == .minutes(10_000))
        // The latest are exact, and the older ones even.
        #expect(absences.length(from: .at(0, 980), until: .at(50, 0)) == .minutes(190))
        #expect(absences.length(from: .at(0, 900) - .minutes(10), until: .at(0, 900)) == .minutes(10))
        let half = absences.length(from: .at(0, 300), until: .at(0, 400)).inSeconds
        #expect(abs(half - 60_000) < 700)
    }

    @Test func `what is longer ago than an app can be unused is forgotten`() {
        let absences = absences((.at(0, 0), 5), (.at(400, 0) - .hours(2), 3), (.at(800, 0), 1))
        #expect(absences.length(from: .at(-1, 0), until: .at(801, 0)) == .hours(1))
    }

    @Test func `what can't be leaves it as it is`() {
        var absences = Absences()
        absences.add(until: .at(0, 0), milliseconds: 0)
        absences.add(until: .at(0, 0), milliseconds: -5)
        absences.add(until: .distantFuture, milliseconds: 5)
        absences.add(until: WallTime(milliseconds: .max), milliseconds: .max)
        absences.add(until: WallTime(milliseconds: .min), milliseconds: .max)
        #expect(absences.spans.isEmpty)
        absences.add(until: .at(0, 0), milliseconds: .max)
        #expect(absences.length(from: .distantPast, until: .distantFuture) == .days(400))
    }

    @Test func `a ledger is the same out of its checkpoint, and one of before has none`() throws {
        var ledger = Ledger()
        for day in 0..<300 {
            ledger.apply(Absence(.asleep, until: .at(day, 6), for: .hours(8)).event, zones: .utc)
        }
        #expect(ledger.absences.spans.count == 256 && ledger.apps.isEmpty)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let bytes = try encoder.encode(ledger)
        #expect(try PropertyListDecoder().decode(Ledger.self, from: bytes) == ledger)
        #expect(bytes.count < 10_000)
        var plist = try #require(
            PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
        plist["absences"] = nil
        let old = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        #expect(try PropertyListDecoder().decode(Ledger.self, from: old).absences == Absences())
    }
}

struct LastSeenTests {
    private func missed(
        _ seen: LastSeen?, latest: WallTime?, boot: String = "b", up: Duration, asleep: Duration = .zero,
        known: [Absence] = []
    ) -> [Absence] {
        var ledger = Ledger()
        for absence in known { ledger.apply(absence.event, zones: .utc) }
        if let latest { ledger.apply(HistoryEvent(.used, at: latest, app: Sample.feed), zones: .utc) }
        let now = Now(
            wall: .at(10, 0), monotonic: MonotonicTime(nanoseconds: (up - asleep).nanoseconds), asleep: asleep
        )
        return LastSeen.absences(since: seen, in: ledger, boot: boot, at: now)
    }

    @Test func `a first start has missed nothing, whatever was imported`() {
        #expect(missed(nil, latest: nil, up: .days(1), asleep: .hours(5)) == [])
        #expect(missed(nil, latest: .at(2, 0), up: .days(1), asleep: .hours(5)) == [])
    }

    @Test func `off from the last sign of life to the boot`() {
        let seen = LastSeen(boot: "a", time: .at(8, 0), asleep: .hours(3))
        #expect(
            missed(seen, latest: .at(7, 0), up: .hours(4)) == [
                Absence(.off, until: .at(9, 20), for: .hours(44))
            ])
        #expect(
            missed(seen, latest: .at(9, 0), up: .hours(4)) == [
                Absence(.off, until: .at(9, 20), for: .hours(20))
            ])
    }

    @Test func `and asleep since the boot`() {
        let seen = LastSeen(boot: "a", time: .at(8, 0), asleep: .hours(3))
        #expect(
            missed(seen, latest: nil, up: .hours(4), asleep: .hours(1)) == [
                Absence(.off, until: .at(9, 20), for: .hours(44)),
                Absence(.asleep, until: .at(10, 0), for: .hours(1)),
            ])
    }

    @Test func `within one boot only sleep is an absence, and what was seen of it counts once`() {
        let seen = LastSeen(boot: "b", time: .at(8, 0), asleep: .hours(3))
        #expect(missed(seen, latest: .at(8, 0), up: .days(9), asleep: .hours(3)) == [])
        #expect(
            missed(seen, latest: .at(8, 0), up: .days(9), asleep: .hours(20)) == [
                Absence(.asleep, until: .at(10, 0), for: .hours(17))
            ])
        // The host saw eight of these hours itself, and then was cut off.
        let known = Absence(.asleep, until: .at(9, 6), for: .hours(8))
        #expect(
            missed(seen, latest: .at(9, 6), up: .days(9), asleep: .hours(20), known: [known]) == [
                Absence(.asleep, until: .at(10, 0), for: .hours(9))
            ])
    }

    @Test func `between passes that come at their interval there is none`() {
        let seen = LastSeen(boot: "b", time: .at(9, 23), asleep: .zero)
        #expect(missed(seen, latest: .at(9, 23), up: .days(3)) == [])
    }

    @Test func `a last sign in the future is none`() {
        let seen = LastSeen(boot: "a", time: .at(11, 0), asleep: .zero)
        #expect(missed(seen, latest: .at(12, 0), up: .hours(1)) == [])
    }

    @Test func `what is told before the manifest counts`() {
        var ledger = Ledger()
        ledger.apply(HistoryEvent(.used, at: .at(-8, 0), app: Sample.feed), zones: .utc)
        var manifest = Sample.simple { $0.repeat = .hours(1) }
        manifest.apps[0].idleClock = .host
        var host = TestHost(ledger: ledger)
        host.handle(.absent(Absence(.off, until: .at(0, 0), for: .days(2))))
        host.load(manifest)
        #expect(!host.names().contains(.idled))
        #expect(host.records.first?.reason == "the host was off for 2 d")
        #expect(host.state.report(at: host.now).apps.map(\.idlesAt) == [.at(1, 0)])
    }
}
