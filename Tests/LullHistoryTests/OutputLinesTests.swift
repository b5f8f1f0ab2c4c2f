import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// The output of runs, in the lines of their ends.
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

    /// Text, invalid UTF-8, characters split between two pieces, much, little and no output.
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
        for run in 1...UInt64(16) {
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
        for run in (1...UInt64(16)).map({ RunID($0) }) {
            let (kept, given) = (try new.output(of: run), try old.output(of: run))
            #expect(kept?.total == given?.total && kept?.ownText == given?.ownText)
            #expect(kept?.text == given?.text, "run \(run)")
        }
        let again = try HistoryImport(events, outputs, from: "h.jsonl", into: new)
        #expect(again.events.isEmpty && again.outputs.isEmpty)
    }

    @Test(arguments: Twin.allCases)
    func `adds the outputs that an import of events alone has left out`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let pieces = [RunID(2): try #require(JSONValue(text: Self.piece(#""start_byte":0"#)))]
        try history.append(HistoryBatch(try HistoryImport([end(2)], from: "h", into: history)))
        #expect(try history.output(of: RunID(2)) == nil)
        let later = try HistoryImport([end(2)], pieces, from: "h", into: history)
        #expect(later.events.isEmpty && later.outputs.map(\.run) == [RunID(2)])
        try history.append(HistoryBatch(later))
        #expect(try history.output(of: RunID(2))?.text == "a")
    }

    @Test func `of a run that printed byte by byte is no longer than a line may be`() throws {
        var output = RunOutput(run: RunID(2), pieces: [])
        for number in 0..<RunOutput.headBytes + RunOutput.tailBytes {
            output.append(
                OutputChunk(
                    run: RunID(2), stream: number.isMultiple(of: 2) ? .standardOutput : .standardError,
                    time: Sample.start, bytes: [0xFF]))
        }
        let line = HistoryLines.encode(try end(2), with: output)
        #expect(output.pieces.count == 65_536 && line.utf8.count < HistoryLines.lineBytes)
        let read = try HistoryLines.decode(file: Data(line.utf8), path: "h.jsonl")
        #expect(read.outputs[RunID(2)].flatMap { RunOutput(json: $0, of: RunID(2)) } == output)
    }

    @Test func `with two outputs of one run is refused by the line of the second`() throws {
        let pieces = try #require(JSONValue(text: Self.piece(#""start_byte":0"#)))
        let line = HistoryLines.encode(try end(2), with: RunOutput(json: pieces, of: RunID(2)))
        let error = #expect(throws: HistoryError.self) {
            try HistoryLines.decode(file: Data("\(line)\n\(line)".utf8), path: "h.jsonl")
        }
        #expect(error?.message.hasPrefix("h.jsonl:2:1: error: ") == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        #"{"stream":"out"}"#, "3", #"["text"]"#, #"[{"stream":"out"}]"#, piece(#""start_byte":-1"#),
        piece(#""start_byte":9223372036854775807"#), piece(#""start_byte":"0""#),
        piece(#""start_byte":0,"base64":"?""#), piece(#""start_byte":0,"base64":3"#),
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
