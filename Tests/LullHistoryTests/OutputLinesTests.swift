import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// What runs printed, in the lines of their ends.
@Suite struct `An export` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func end(_ run: UInt64) throws -> HistoryEvent {
        var end = try Sample.launch(Int(run), run: run)
        (end.event, end.outcome) = (run.isMultiple(of: 2) ? .failed : .interrupted, .crashed)
        return end
    }

    /// Text, bytes that are none, characters that two pieces share, much and little, and nothing at all.
    private func chunks(of run: UInt64, using random: inout SeededGenerator) -> [OutputChunk] {
        (0..<Int.random(in: 0...6, using: &random)).map { number in
            let bytes: [UInt8] =
                switch Int.random(in: 0...3, using: &random) {
                case 0: Array("line \(number): ä\n".utf8)
                case 1: Array("ä".utf8.prefix(1))
                case 2:
                    (0..<Int.random(in: 0...90_000, using: &random)).map { _ in
                        .random(in: 0...255, using: &random)
                    }
                default: []
                }
            return OutputChunk(
                run: RunID(run), stream: OutputChunk.Stream.allCases.randomElement(using: &random) ?? .log,
                time: Sample.start + .seconds(Int64(number)), bytes: bytes,
                isShared: .random(using: &random), skipped: .random(using: &random) ? 0 : 100)
        }
    }

    @Test(arguments: Twin.allCases)
    func `holds what runs printed, and an import gives it back`(_ twin: Twin) throws {
        var random = SeededGenerator(seed: 7)
        let old = MemoryHistory()
        for run in 1...UInt64(60) {
            try old.append(
                HistoryBatch(events: [try end(run)], outputs: chunks(of: run, using: &random)))
        }
        let lines = try old.events().map { event in
            HistoryLines.encode(event, with: try event.run.flatMap { try old.output(of: $0) }) + "\n"
        }
        #expect(lines.allSatisfy { $0.utf8.count < HistoryLines.lineBytes })
        let (events, outputs) = try HistoryLines.decode(file: Data(lines.joined().utf8), path: "h.jsonl")
        let new = try twin.make(in: folder)
        try new.append(HistoryBatch(try HistoryImport(events, outputs, from: "h.jsonl", into: new)))
        #expect(try new.events() == old.events())
        for run in (1...UInt64(60)).map({ RunID($0) }) {
            let (kept, given) = (try new.output(of: run), try old.output(of: run))
            #expect(kept?.total == given?.total && kept?.ownText == given?.ownText)
            #expect(kept?.text == given?.text, "run \(run)")
        }
        let again = try HistoryImport(events, outputs, from: "h.jsonl", into: new)
        #expect(again.events.isEmpty && again.outputs.isEmpty)
    }

    @Test(arguments: [
        #"{"stream":"out"}"#, "3", #"["text"]"#, #"[{"stream":"out"}]"#, piece(#""start_byte":-1"#),
        piece(#""start_byte":9223372036854775807"#), piece(#""start_byte":"0""#),
        piece(#""start_byte":0,"base64":"?""#),
    ])
    func `with an output that is none is refused by its line and column`(_ json: String) throws {
        let line = HistoryLines.encode(try end(2)).dropLast() + ",\"output_pieces\":"
        let error = #expect(throws: LineProblem.self) {
            try HistoryLines.decode(line + json + "}", number: 3, path: "h.jsonl")
        }
        #expect(error?.column == line.utf8.count + 1)
        #expect(error?.description.contains("in the order in which it was printed") == true, "\(json)")
    }

    private static func piece(_ start: String) -> String {
        #"[{"stream":"out","time":"2026-11-21T08:00:00Z","shared":false,"text":"a",\#(start)}]"#
    }

    @Test func `has no output where no run ends, and none that begins before another's end`() throws {
        let piece = Self.piece(#""start_byte":0"#).dropFirst().dropLast()
        let used = HistoryLines.encode(try Sample.use(1)).dropLast() + ",\"output_pieces\":[\(piece)]}"
        let ended = HistoryLines.encode(try end(2)).dropLast() + ",\"output_pieces\":[\(piece),\(piece)]}"
        for (line, expected) in [(used, "'used' ends no run"), (ended, "in the order")] {
            let error = #expect(throws: LineProblem.self) {
                try HistoryLines.decode(String(line), number: 1, path: "h.jsonl")
            }
            #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
        }
    }
}
