/// The output of a run's child processes, on its way from the worker to the host.
///
/// The worker sends output at once until its credit is used up. Then it tells the host so, and holds the newest bytes until the
/// host asks for more: the host keeps only the beginning and the end of a flood, so the middle need not travel. The worker
/// always reports how many bytes it left out, before the bytes after them.
public struct OutputFlow: Sendable {
    private let run: UInt64
    private var credit = Wire.outputCredit
    private var held: [(stream: PrintedStream, bytes: [UInt8])] = []
    private var heldBytes = 0
    private var skipped: UInt64 = 0

    public init(run: UInt64) { self.run = run }

    /// `send` gets the frames in order.
    public mutating func print(
        _ stream: PrintedStream, _ bytes: UnsafeRawBufferPointer, send: (WorkerFrame) -> Void
    ) {
        let isHolding = credit == 0
        let now = bytes.prefix(credit)
        credit -= now.count
        sendParts(stream, UnsafeRawBufferPointer(rebasing: now), send)
        if credit == 0, !isHolding { send(.holdsOutput(run: run)) }
        hold(stream, bytes.dropFirst(now.count))
    }

    /// The host asks for more, or the run is over.
    public mutating func release(send: (WorkerFrame) -> Void) {
        cut(to: Wire.heldOutput)
        if skipped > 0 { send(.skippedOutput(run: run, bytes: skipped)) }
        for piece in held { piece.bytes.withUnsafeBytes { sendParts(piece.stream, $0, send) } }
        self = OutputFlow(run: run)
    }

    private func sendParts(
        _ stream: PrintedStream, _ bytes: UnsafeRawBufferPointer, _ send: (WorkerFrame) -> Void
    ) {
        for start in stride(from: 0, to: bytes.count, by: Wire.printedPart) {
            let part = bytes[start..<min(start + Wire.printedPart, bytes.count)]
            send(.printed(run: run, stream: stream, part: [UInt8](part)))
        }
    }

    private mutating func hold(_ stream: PrintedStream, _ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !bytes.isEmpty else { return }
        let newest = bytes.suffix(Wire.heldOutput)
        if newest.count == Wire.heldOutput { cut(to: 0) }
        skipped += UInt64(bytes.count - newest.count)
        held.append((stream, [UInt8](newest)))
        heldBytes += newest.count
        // Cut only at twice the room, so that a flood of small pieces does not move the held bytes for each piece.
        if heldBytes > 2 * Wire.heldOutput { cut(to: Wire.heldOutput) }
    }

    /// Drops all but the last `room` held bytes.
    private mutating func cut(to room: Int) {
        var surplus = max(0, heldBytes - room)
        skipped += UInt64(surplus)
        heldBytes -= surplus
        var whole = 0
        while whole < held.count, held[whole].bytes.count <= surplus {
            surplus -= held[whole].bytes.count
            whole += 1
        }
        held.removeFirst(whole)
        if surplus > 0 { held[0].bytes.removeFirst(surplus) }
    }
}
