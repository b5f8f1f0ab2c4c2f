import LullModel
import Testing

@testable import LullUsage

/// Lines are found however their bytes are divided.
struct LineSplitterTests {
    private func lines(_ portions: [[UInt8]], finishes: Bool = false) -> ([String], LineSplitter) {
        var splitter = LineSplitter()
        var lines: [String] = []
        for portion in portions {
            splitter.feed(portion[...]) { lines.append(String(decoding: $0, as: UTF8.self)) }
        }
        if finishes { splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) } }
        return (lines, splitter)
    }

    @Test func `a line is told once its end has come`() {
        let (told, splitter) = lines([Array("one\ntw".utf8), Array("o\r\n\nthr".utf8)])
        #expect(told == ["one", "two", ""])
        #expect(splitter.pending == 3)
        #expect(lines([Array("one\ntwo".utf8)], finishes: true).0 == ["one", "two"])
        #expect(lines([Array("one\n".utf8)], finishes: true).0 == ["one"])
    }

    @Test func `a line over the limit is skipped and counted, and the next one is told`() {
        let long = [UInt8](repeating: 0x61, count: LineSplitter.limit + 1)
        let (told, splitter) = lines([long, long, Array("\nnext\n".utf8)])
        #expect(told == ["next"])
        #expect(splitter.skipped == 1)
        let fits = Array(long.dropLast())
        #expect(lines([fits + [10]]).0.map(\.utf8.count) == [LineSplitter.limit])
        // In one portion with its newline.
        #expect(lines([Array(long + [10]), Array("b\n".utf8)]).0 == ["b"])
    }

    @Test func `what is in the midst of a line is left out`() {
        var splitter = LineSplitter(midLine: true)
        var told: [[UInt8]] = []
        splitter.feed(Array("est of a line\nwhole\n".utf8)[...]) { told.append(Array($0)) }
        #expect(told == [Array("whole".utf8)])
        #expect(splitter.skipped == 0)
    }

    @Test(arguments: 0..<20) func `the lines do not depend on the portions`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = random.bytes(upTo: 400, among: Array("ab\r\n\0\u{fe}".utf8))
        let whole = lines([bytes], finishes: true)
        var portions: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...min(7, rest.count), using: &random)
            portions.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let parts = lines(portions, finishes: true)
        #expect(parts.0 == whole.0)
        #expect(parts.1.pending == whole.1.pending)
        // No byte is lost: the lines and newlines equal the input, except for carriage returns before a newline.
        #expect(
            whole.0.count == bytes.split(separator: 10, omittingEmptySubsequences: false).count
                - (bytes.isEmpty || bytes.last == 10 ? 1 : 0))
    }
}
