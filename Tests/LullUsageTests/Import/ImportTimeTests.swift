import LullModel
import Testing

@testable import LullUsage

@Suite struct ImportTimeTests {
    private func milliseconds(_ text: String, _ time: ImportTime = .automatic) -> Int64? {
        ImportClock(time: time, zone: .utc, now: ImportSample.now).whole(Array(text.utf8)[...])?.milliseconds
    }

    @Test(
        arguments: [
            ("1795176000", 1_795_176_000_000), ("1795176000.5", 1_795_176_000_500), ("0", 0),
            ("1795176000123", 1_795_176_000_123), ("1795176000123456", 1_795_176_000_123),
            ("1795176000123456789", 1_795_176_000_123), (" 1795176000 ", 1_795_176_000_000),
            ("2026-11-20T12:00:00.25Z", 1_795_176_000_250), ("2026-11-20T14:00:00+0200", 1_795_176_000_000),
            ("2026-11-20T12:00", 1_795_176_000_000), ("Fri Nov 20 12:00:00 2026 +0000", 1_795_176_000_000),
            ("[20/Nov/2026:12:00:00 +0000]", 1_795_176_000_000),
            ("20/Nov/2026:12:00:00 +0000", 1_795_176_000_000),
        ] as [(String, Int64)])
    func `a time may be written in many ways`(text: String, expected: Int64) {
        #expect(milliseconds(text) == expected)
    }

    @Test(arguments: [
        "", " ", "-1795176000", "1795176000.", "17951760001234567890", "1e9", "0x10", "noon", "2026-11-20",
        "2026-02-30 12:00", "2026-11-20T25:00:00Z", "2026-11-20T12:00:00Z!",
    ])
    func `anything else is none`(text: String) {
        #expect(milliseconds(text) == nil)
    }

    @Test func `a unit that is said is not told by the length`() {
        #expect(milliseconds("1795176000", .unixMilliseconds) == 1_795_176_000)
        #expect(milliseconds("1795176000123", .unix) == 1_795_176_000_123_000)
        #expect(milliseconds("2026-11-20T12:00:00Z", .unix) == nil)
    }

    @Test func `a word is a format, and what strptime does not know is none`() {
        #expect(ImportTime("unix_ms") == .unixMilliseconds)
        #expect(ImportTime("rfc3339") == .format(.rfc3339))
        #expect(ImportTime("%d.%m.%Y %H:%M") == .format(.strptime("%d.%m.%Y %H:%M")))
        for text in ["", "iso", "%", "%Q %H", "%Y-%!"] { #expect(ImportTime(text) == nil, "\(text)") }
    }

    @Test func `any bytes are a time or none`() {
        var random = SeededGenerator(seed: 11)
        let marks = Array("0123456789-:T Z+./[]%éNov".utf8)
        for _ in 0..<4000 {
            let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                marks.randomElement(using: &random) ?? 0
            }
            for time in [ImportTime.automatic, .unix, .unixMilliseconds, .format(.common)] {
                let clock = ImportClock(time: time, zone: .utc, now: ImportSample.now)
                let whole = clock.whole(bytes[...])
                // A whole line that is a time is also found as a time within a line, for formats with such lines.
                if time == .format(.common), let whole { #expect(clock.first(in: bytes[...]) == whole) }
            }
        }
    }
}
