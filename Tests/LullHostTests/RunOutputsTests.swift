import LullControl
import LullHistory
import LullModel
import Testing

@testable import LullHost

struct RunOutputsTests {
    private let worker: WorkerID
    private let time = WallTime(seconds: 1_000)

    init() throws {
        worker = try WorkerID(app: #require(AppIdentifier("com.example.App")), number: 1)
    }

    @Test func `what is printed while two runs are open is kept with both and marked as shared`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker)
        outputs.append(Array("alone".utf8), .standardOutput, of: worker, at: time)
        outputs.begin(RunID(2), of: worker)
        outputs.append(Array("both".utf8), .standardError, of: worker, at: time)
        let chunks = outputs.takeReady()
        #expect(chunks.map(\.run) == [RunID(1), RunID(1), RunID(2)])
        #expect(chunks.map(\.isShared) == [false, true, true])
        #expect(outputs.takeReady().isEmpty)
    }

    @Test func `what a run alone printed is not shared, and only such is news of it`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker)
        outputs.begin(RunID(2), of: worker)
        let news = [
            outputs.append(Array("whose".utf8), .standardOutput, of: worker, at: time) != nil,
            outputs.append(Array("mine".utf8), .standardError, run: RunID(2), at: time),
            outputs.append(Array("too".utf8), .standardError, run: RunID(2), at: time),
            outputs.append(Array("late".utf8), .standardError, run: RunID(9), at: time),
        ]
        #expect(news == [false, true, false, false])
        let chunks = outputs.takeReady()
        #expect(chunks.map(\.run) == [1, 2, 2, 2].map { RunID($0) })
        #expect(chunks.map(\.isShared) == [true, true, false, false])
        outputs.end(RunID(2), at: time)
        let alone = ["alone", "more", ""].map {
            outputs.append(Array($0.utf8), .standardOutput, of: worker, at: time)
        }
        #expect(alone == [RunID(1), nil, nil])
    }

    @Test
    func `what is printed after the last run goes with it, as far as its room goes, until another begins`() {
        var outputs = RunOutputs()
        outputs.limit = 8
        outputs.begin(RunID(1), of: worker)
        outputs.end(RunID(1), at: time)
        for words in ["pan", "ic!", "more"] {
            #expect(outputs.append(Array(words.utf8), .standardError, of: worker, at: time) == nil)
        }
        let late = outputs.takeReady()
        #expect(late.map(\.run) == [RunID(1), RunID(1)])
        #expect(late.flatMap(\.bytes) == Array("pani".utf8) && late.allSatisfy { !$0.isShared })
        outputs.begin(RunID(2), of: worker)
        outputs.append(Array("new".utf8), .standardError, of: worker, at: time)
        outputs.end(RunID(2), at: time)
        outputs.forget(worker)
        outputs.append(Array("gone".utf8), .standardError, of: worker, at: time)
        #expect(outputs.takeReady().map(\.run) == [RunID(2)])
    }

    @Test
    func `whoever follows a run is told what it printed from a place on, until its end is durable`() throws {
        var outputs = RunOutputs()
        outputs.limit = 8
        let run = RunID(1)
        #expect(outputs.part(of: run, from: 0) == nil)
        outputs.begin(run, of: worker)
        #expect(outputs.part(of: run, from: 0) == PrintedPart(total: 0))
        _ = outputs.append(Array("one\n".utf8), .standardOutput, run: run, at: time)
        _ = outputs.takeReady()
        _ = outputs.append(Array("tw".utf8), .standardError, run: run, at: time)
        func text(from place: Int) throws -> [String] {
            try #require(outputs.part(of: run, from: place)).pieces.map {
                "\($0.start)\($0.stream):" + String(decoding: $0.bytes, as: UTF8.self)
            }
        }
        #expect(try text(from: 0) == ["0out:one\n", "4err:tw"])
        #expect(try text(from: 5) == ["5err:w"])
        #expect(try text(from: 6).isEmpty)
        outputs.skip(100, run: run)
        _ = outputs.append(Array("end".utf8), .standardOutput, run: run, at: time)
        #expect(try text(from: 6) == ["106out:end"], "what is kept nowhere leaves a gap")
        outputs.end(run, at: time)
        #expect(try text(from: 108) == ["108out:d"])
        outputs.forget(run)
        #expect(outputs.part(of: run, from: 0) == nil)
    }

    @Test func `what a run printed that was launched by hand is told at its end, as it came`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker, isByHand: true)
        outputs.begin(RunID(2), of: worker)
        for run in [RunID(1), RunID(2)] {
            _ = outputs.append(Array("one\n".utf8), .standardError, run: run, at: time)
            _ = outputs.append(Array("two\nthr".utf8), .standardOutput, run: run, at: time)
            _ = outputs.append(Array("ee".utf8), .standardOutput, run: run, at: time)
            outputs.log("logged", run: run, at: time)
        }
        #expect(outputs.printed(by: RunID(1)) == nil)
        outputs.end(RunID(1), at: time)
        outputs.end(RunID(2), at: time)
        #expect(outputs.printed(by: RunID(1)) == PrintedByRun(lines: ["one", "two", "three"], count: 3))
        #expect(outputs.printed(by: RunID(2)) == nil)
        outputs.begin(RunID(3), of: worker, isByHand: true)
        _ = outputs.append(Array("1\n2\n3\n4".utf8), .standardOutput, run: RunID(3), at: time)
        outputs.end(RunID(3), at: time)
        #expect(outputs.printed(by: RunID(3)) == PrintedByRun(lines: ["1", "2", "3", "4"], count: 4))
        outputs.begin(RunID(4), of: worker, isByHand: true)
        outputs.end(RunID(4), at: time)
        #expect(outputs.printed(by: RunID(4)) == PrintedByRun(lines: [], count: 0))
    }

    @Test func `a logged line belongs to its run alone and is its summary`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker)
        outputs.begin(RunID(2), of: worker)
        outputs.log("added 12 entries", run: RunID(2), at: time)
        #expect(outputs.summary(of: RunID(1)) == nil)
        #expect(outputs.summary(of: RunID(2)) == "added 12 entries")
        #expect(outputs.takeReady().map(\.run) == [RunID(2)])
    }

    @Test func `the last lines are told once, and only those that are a run's own`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker)
        #expect(outputs.takeLastLines().isEmpty)
        outputs.append(Array("alone\n".utf8), .standardOutput, of: worker, at: time)
        outputs.log("logged", run: RunID(1), at: time)
        #expect(outputs.takeLastLines() == [RunID(1): ["alone"]])
        #expect(outputs.takeLastLines().isEmpty)
        outputs.begin(RunID(2), of: worker)
        // People notified about one run may have no right to read the output of the other.
        outputs.append(Array("whose?\n".utf8), .standardError, of: worker, at: time)
        #expect(outputs.takeLastLines().isEmpty)
        _ = outputs.append(Array("no route\n".utf8), .standardError, run: RunID(1), at: time)
        #expect(outputs.takeLastLines() == [RunID(1): ["alone", "no route"]])
        _ = outputs.append(Array("more\n".utf8), .standardError, run: RunID(1), at: time)
        outputs.end(RunID(1), at: time)
        #expect(outputs.takeLastLines().isEmpty)
    }

    @Test func `nothing is kept for a run that is not open`() {
        var outputs = RunOutputs()
        outputs.append([1], .standardOutput, of: worker, at: time)
        outputs.log("late", run: RunID(9), at: time)
        #expect(outputs.takeReady().isEmpty)
    }

    @Test func `a flood keeps its beginning and its end and says how much is gone`() {
        var outputs = RunOutputs()
        outputs.begin(RunID(1), of: worker)
        for index in 0..<10_000 {
            let line = "line \(index) " + String(repeating: "x", count: 80) + "\n"
            outputs.append(Array(line.utf8), .standardOutput, of: worker, at: time)
        }
        outputs.end(RunID(1), at: time)
        let chunks = outputs.takeReady()
        let kept = chunks.reduce(0) { $0 + $1.bytes.count }
        let printed = (0..<10_000).reduce(0) { $0 + "line \($1) ".utf8.count + 81 }
        #expect(kept == 64 << 10)
        #expect(chunks.reduce(0) { $0 + $1.skipped } == printed - kept)
        let text = String(decoding: chunks.flatMap(\.bytes), as: UTF8.self)
        #expect(text.hasPrefix("line 0 "))
        #expect(text.contains("line 9999 "))
    }

    @Test func `what the history then tells is the true figure`() throws {
        var outputs = RunOutputs()
        let history = MemoryHistory()
        outputs.begin(RunID(1), of: worker)
        // The output of `seq 200000`, in a pipe's pieces.
        let printed = (1...200_000).map { "\($0)\n" }.joined()
        var rest = Array(printed.utf8)[...]
        while !rest.isEmpty {
            _ = outputs.append(Array(rest.prefix(16 << 10)), .standardOutput, run: RunID(1), at: time)
            rest = rest.dropFirst(16 << 10)
            try history.append([HistoryBatch(outputs: outputs.takeReady())])
        }
        outputs.log("the command exited with code 0.", run: RunID(1), at: time)
        outputs.end(RunID(1), at: time)
        try history.append([HistoryBatch(outputs: outputs.takeReady())])
        let output = try #require(try history.output(of: RunID(1)))
        let all = printed.utf8.count + 32
        #expect(output.total == all)
        #expect(output.dropped == all - (64 << 10))
        #expect(output.text.contains("… \(all - (64 << 10)) bytes not kept …\n"))
        #expect(output.text.ranges(of: "bytes not kept").count == 1)
        #expect(output.text.hasSuffix("200000\nthe command exited with code 0.\n"))
        #expect(output.textOfCutOff.contains("… at least \(all - (64 << 10)) bytes not kept …\n"))
    }

    @Test func `what the worker leaves out is counted with what is dropped here`() throws {
        var outputs = RunOutputs()
        let history = MemoryHistory()
        outputs.begin(RunID(1), of: worker)
        let piece = [UInt8](repeating: 97, count: 50_000)
        _ = outputs.append(piece, .standardOutput, run: RunID(1), at: time)
        for _ in 0..<3 {
            outputs.skip(1_000_000, run: RunID(1))
            _ = outputs.append(piece, .standardOutput, run: RunID(1), at: time)
        }
        // Impossible sizes do not break the count.
        outputs.skip(.max, run: RunID(1))
        outputs.skip(.max, run: RunID(1))
        _ = outputs.append([98], .standardOutput, run: RunID(1), at: time)
        outputs.end(RunID(1), at: time)
        let chunks = outputs.takeReady()
        #expect(chunks.map(\.skipped).contains(1 << 50))
        #expect(chunks.last?.bytes == [98])

        outputs.begin(RunID(2), of: worker)
        _ = outputs.append(piece, .standardOutput, run: RunID(2), at: time)
        outputs.skip(7, run: RunID(2))
        _ = outputs.append(piece, .standardError, run: RunID(2), at: time)
        outputs.end(RunID(2), at: time)
        try history.append([HistoryBatch(outputs: outputs.takeReady())])
        let output = try #require(try history.output(of: RunID(2)))
        #expect(output.total == 100_007)
        #expect(output.dropped == 100_007 - (64 << 10))
    }

    @Test func `the manifest's size is kept to the byte`() {
        var outputs = RunOutputs()
        outputs.limit = 8
        outputs.begin(RunID(1), of: worker)
        outputs.append(Array("abcdefghij".utf8), .standardOutput, of: worker, at: time)
        outputs.append(Array("klmnop".utf8), .standardOutput, of: worker, at: time)
        outputs.end(RunID(1), at: time)
        let chunks = outputs.takeReady()
        #expect(String(decoding: chunks.flatMap(\.bytes), as: UTF8.self) == "abcdmnop")
        #expect(chunks.map(\.skipped) == [0, 8])
    }

    @Test func `nothing is kept where the manifest wants nothing`() {
        var outputs = RunOutputs()
        outputs.limit = 0
        outputs.begin(RunID(1), of: worker)
        outputs.append(Array("abc".utf8), .standardOutput, of: worker, at: time)
        outputs.end(RunID(1), at: time)
        #expect(!outputs.takeReady().contains { $0.stream == .standardOutput })
    }
}
