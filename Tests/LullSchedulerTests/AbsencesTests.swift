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

    @Test func `how long it was is told to the second`() {
        let words = [-4, 0, 400].map {
            Absence(.back, until: .at(2, 6), for: .hours(2) + .milliseconds($0)).event.reason
        }
        #expect(Set(words) == ["the clock was set back by 2 h"])
    }

    @Test func `what lies ahead was before the clock was set back, and does not count again`() {
        var ledger = Ledger()
        ledger.apply(Absence(.asleep, until: .at(1, 6), for: .hours(8)).event, zones: .utc)
        ledger.apply(Absence(.asleep, until: .at(2, 6), for: .hours(8)).event, zones: .utc)
        // Neither a use, which may be read late, nor a conditions event shows that the clock was set back.
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
        // The latest spans are exact; the older ones are spread evenly.
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

    @Test func `a ledger is the same out of its checkpoint`() throws {
        var ledger = Ledger()
        for day in 0..<300 {
            ledger.apply(Absence(.asleep, until: .at(day, 6), for: .hours(8)).event, zones: .utc)
        }
        #expect(ledger.absences.spans.count == 256 && ledger.apps.isEmpty)
        let bytes = try Packed.encode(ledger)
        #expect(try Packed.decode(Ledger.self, from: bytes) == ledger)
        #expect(bytes.count < 10_000)
    }
}
