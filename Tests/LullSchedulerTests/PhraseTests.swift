import LullModel
import Testing

@testable import LullScheduler

struct PhraseTests {
    static let spans: [(Duration, String)] = [
        (.zero, "0 s"), (.milliseconds(250), "250 ms"), (.seconds(30), "30 s"),
        (.seconds(90), "1 min 30 s"),
        (.hours(2) + .minutes(5), "2 h 5 min"), (.days(6) + .hours(23) + .minutes(59), "6 d 23 h"),
        (.days(7) + .milliseconds(1), "7 d"), (.hours(-3), "0 s"),
    ]
    @Test(arguments: spans)
    func `a span has its two largest units`(span: Duration, text: String) {
        #expect(Phrase.span(span) == text)
    }

    @Test func `a moment is as long as it has to be`() {
        let now = WallTime.at(0, 12)
        #expect(Phrase.moment(.at(0, 8, 5), seenFrom: now, in: .utc) == "08:05")
        #expect(Phrase.moment(.at(6, 4), seenFrom: now, in: .utc) == "Sunday 04:00")
        #expect(Phrase.moment(.at(7, 4), seenFrom: now, in: .utc) == "2026-11-30 04:00")
        #expect(Phrase.moment(.at(-1, 4), seenFrom: now, in: .utc) == "2026-11-22 04:00")
    }

    @Test(arguments: [(0.7, "0.7"), (1.35, "1.35"), (-0.05, "-0.05"), (3, "3"), (.infinity, "inf")])
    func `a number has two decimals at most`(number: Double, text: String) {
        #expect(Phrase.number(number) == text)
    }

    @Test func `sizes, shares, counts and lists read well`() {
        #expect(Phrase.size(1536) == "1.5 KiB")
        #expect(Phrase.size(1 << 30) == "1 GiB")
        #expect(Phrase.share(0.2) == "20 %")
        #expect(Phrase.count(1, "run") == "1 run" && Phrase.count(2, "run") == "2 runs")
        #expect(Phrase.list(["a", "b", "c"]) == "a, b and c")
    }

    @Test func `a reason is clipped at a whole character`() {
        let long = String(repeating: "ä", count: 1000)
        let clipped = long.clipped(to: 1024)
        #expect(
            clipped.utf8.count <= 1024 && clipped.hasSuffix("…")
                && clipped.dropLast().allSatisfy { $0 == "ä" })
        #expect("short".clipped(to: 1024) == "short")
    }
}
