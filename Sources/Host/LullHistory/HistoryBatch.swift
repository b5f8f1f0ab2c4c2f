public import LullModel

public import struct Foundation.Data

/// Records that are written to the history together: all of them are durable, or none.
///
/// Events come first, then the outputs, then the checkpoint, which covers every event up to here.
public struct HistoryBatch: Sendable, Equatable {
    public var events: [HistoryEvent]
    public var outputs: [OutputChunk]
    public var checkpoint: Checkpoint?

    public init(events: [HistoryEvent] = [], outputs: [OutputChunk] = [], checkpoint: Checkpoint? = nil) {
        self.events = events
        self.outputs = outputs
        self.checkpoint = checkpoint
    }

    /// The records that an import adds.
    public init(_ plan: HistoryImport) {
        self.init(events: plan.events, outputs: plan.outputs.flatMap(\.chunks))
    }

    public var isEmpty: Bool { events.isEmpty && outputs.isEmpty && checkpoint == nil }
}

/// The folded state after all events up to `seq`; only the latest is kept.
///
/// Only the scheduler reads `data`; `version` tells it whether it still can.
public struct Checkpoint: Sendable, Equatable {
    public var version: Int
    public var data: Data
    /// The number of the last event it covers: set by the history when it is written.
    public internal(set) var seq: Int64

    public init(version: Int, data: Data) {
        self.version = version
        self.data = data
        seq = 0
    }

    init(version: Int, data: Data, seq: Int64) {
        self.version = version
        self.data = data
        self.seq = seq
    }
}

/// A piece of a run's output.
public struct OutputChunk: Sendable, Equatable {
    public enum Stream: String, Sendable, Codable, CaseIterable {
        case standardOutput = "out"
        case standardError = "err"
        /// Lines that the plugin logs through the host.
        case log
    }

    public var run: RunID
    public var stream: Stream
    public var time: WallTime
    public var bytes: [UInt8]
    /// Whether several runs were open in the worker, so that the bytes may be another run's.
    public var isShared: Bool
    /// How many bytes were printed just before these and not kept.
    public var skipped: Int

    public init(
        run: RunID, stream: Stream, time: WallTime, bytes: [UInt8], isShared: Bool = false, skipped: Int = 0
    ) {
        self.run = run
        self.stream = stream
        self.time = time
        self.bytes = bytes
        self.isShared = isShared
        self.skipped = skipped
    }

    /// The same chunk with its bytes counted as not kept.
    public var withoutBytes: OutputChunk {
        OutputChunk(
            run: run, stream: stream, time: time, bytes: [], isShared: isShared,
            skipped: skipped + bytes.count)
    }

    /// Whether it has no bytes, and none were skipped before it.
    var isEmpty: Bool { bytes.isEmpty && skipped == 0 }
}
