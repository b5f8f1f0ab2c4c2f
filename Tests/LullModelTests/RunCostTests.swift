import Testing

@testable import LullModel

/// What a run cost, in words and in JSON.
struct RunCostTests {
    static let phrases: [(RunCost, String)] = [
        (
            RunCost(processor: 1200, memory: 34 << 20, read: 12 << 20, written: 3 << 20),
            "processor 1.2 s, peak memory 34 MiB, read 12 MiB, wrote 3 MiB"
        ),
        (
            RunCost(processor: 0, memory: 1_572_864, read: 0, written: 1023),
            "processor under 10 ms, peak memory 1.5 MiB, read 0 B, wrote 1023 B"
        ),
        (
            RunCost(memory: 35_900_000),
            "processor unknown, peak memory 34 MiB, read unknown, wrote unknown"
        ),
        (RunCost(sharers: 1), "unknown: it shared its process with 1 other run"),
        (RunCost(sharers: 3), "unknown: it shared its process with 3 other runs"),
    ]
    @Test(arguments: phrases)
    func `a cost has each figure in words, and unknown ones as such`(cost: RunCost, phrase: String) {
        #expect(cost.phrase == phrase)
    }

    @Test func `a cost survives its JSON, and what is none is none`() {
        for (cost, _) in Self.phrases { #expect(RunCost(json: cost.json) == cost) }
        let others: [JSONValue] = [
            .array([]), .integer(7), .object(["processor_ms": .integer(-1)]),
            .object(["processor_ms": .number(1.5)]), .object(["shared_with": .integer(0)]),
            .object(["shared_with": .string("a")]), .object(["read_bytes": .bool(true)]),
        ]
        for other in others { #expect(RunCost(json: other) == nil, "\(other)") }
    }

    @Test func `the largest size there is can be said`() {
        #expect(RunCost.size(.max).hasSuffix(" PiB"))
        #expect(RunCost.time(.max).hasSuffix(" h"))
    }
}
