import LullWire
import Testing

struct OutputFlowTests {
    private var flow = OutputFlow(run: 7)
    private var frames: [WorkerFrame] = []

    private mutating func print(_ bytes: [UInt8], _ stream: PrintedStream = .output) {
        var sent: [WorkerFrame] = []
        bytes.withUnsafeBytes { flow.print(stream, $0) { sent.append($0) } }
        frames += sent
    }

    private mutating func release() {
        var sent: [WorkerFrame] = []
        flow.release { sent.append($0) }
        frames += sent
    }

    /// The bytes that arrive, with 256 in place of each byte that is reported as left out.
    private var heard: [UInt16] {
        frames.flatMap { frame -> [UInt16] in
            switch frame {
            case .printed(7, _, let part): part.map(UInt16.init)
            case .skippedOutput(7, let bytes): [UInt16](repeating: 256, count: Int(bytes))
            default: []
            }
        }
    }

    private var holds: Int { frames.count { $0 == .holdsOutput(run: 7) } }

    private static func bytes(_ count: Int, from start: Int = 0) -> [UInt8] {
        (start..<start + count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    }

    @Test mutating func `what is within the credit arrives at once, in parts`() {
        let printed = Self.bytes(Wire.outputCredit - 1)
        print(printed)
        #expect(heard == printed.map(UInt16.init))
        #expect(holds == 0)
        for case .printed(_, _, let part) in frames {
            #expect(!part.isEmpty && part.count <= Wire.printedPart)
        }
    }

    @Test mutating func `a little more is held, and arrives whole when the host asks`() {
        let printed = Self.bytes(Wire.outputCredit + 100)
        print(printed)
        print([1, 2, 3], .error)
        #expect(heard.count == Wire.outputCredit)
        #expect(holds == 1)
        release()
        #expect(heard == (printed + [1, 2, 3]).map(UInt16.init))
        #expect(frames.last == .printed(run: 7, stream: .error, part: [1, 2, 3]))
        // A new credit.
        print([4])
        #expect(heard.last == 4)
    }

    @Test(arguments: [1, 7, 1000, 4096, 32 << 10, 64 << 10, 1 << 20])
    mutating func `of a flood the beginning and the end arrive, and the count is true`(piece: Int) {
        let total = max(512 << 10, 2 * piece)
        var printed: [UInt8] = []
        while printed.count < total {
            let next = Self.bytes(piece, from: printed.count)
            print(next)
            printed += next
        }
        release()
        #expect(heard.count == printed.count)
        #expect(
            heard.prefix(Wire.outputCredit).elementsEqual(printed.prefix(Wire.outputCredit).map(UInt16.init)))
        let end = printed.suffix(Wire.heldOutput).map(UInt16.init)
        #expect(heard.suffix(Wire.heldOutput).elementsEqual(end))
        #expect(heard.count { $0 == 256 } == printed.count - Wire.outputCredit - Wire.heldOutput)
        #expect(holds == 1)
    }

    @Test mutating func `the host may ask when nothing is held`() {
        release()
        #expect(frames.isEmpty)
    }
}
