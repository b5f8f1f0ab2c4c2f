import LullModel
import Testing

struct CostSpansTests {
    private let limits = [
        CostLimit(.processor, 1, span: .days(1)), CostLimit(.written, 1, span: .minutes(1)),
    ]

    @Test func `only what a run has cost counts`() {
        #expect(CostSpans(RunCost(processor: 0, read: 5), app: limits, host: limits) == nil)
        #expect(CostSpans(RunCost(processor: 7), app: limits, host: [])?.app == [.processor: .days(1)])
        #expect(CostSpans(RunCost(written: 7), app: [], host: limits)?.host == [.written: .minutes(1)])
    }

    @Test func `an amount is told as a person reads it, and a time not rounded up`() {
        let texts = [0, 960, 1990, 9_990, 612_340, 36_000_000].map {
            CostLimit(.processor, 1, span: .days(1)).text(of: $0)
        }
        #expect(texts == ["0 s", "960 ms", "1.9 s", "9.9 s", "10 min 12 s", "10 h"])
        #expect(CostLimit(.read, 1, span: .days(1)).text(of: 5_600_000_000) == "5.2 GiB")
    }

    @Test func `spans that no limit can have are refused`() throws {
        let spans = try #require(CostSpans(RunCost(processor: 1, written: 1), app: limits, host: limits))
        #expect(CostSpans(json: spans.json) == spans)
        let others: [JSONValue] = [
            .null, .object([:]), .object(["processor_span_ms": .integer(0)]),
            .object(["processor_span_ms": .integer(59_999)]),
            .object(["host_read_span_ms": .integer(.max)]),
            .object(["processor_span_ms": .integer(60_000), "read_span_ms": .string("1d")]),
        ]
        for other in others { #expect(CostSpans(json: other) == nil, "\(other)") }
    }
}
