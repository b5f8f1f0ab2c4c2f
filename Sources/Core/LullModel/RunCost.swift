/// What a run cost, as far as the kernel can tell; an absent figure is unknown.
///
/// If other runs used the run's process at the same time, no figure can be told apart, so there is none.
public struct RunCost: Sendable, Equatable {
    /// Time on the processors in milliseconds, of all of the run's processes, in user and in system mode.
    public var processor: Int64?
    /// The most memory in bytes that one of its processes had resident at a time.
    public var memory: Int64?
    /// Bytes that storage had to deliver, and bytes that were to be written to it: reads from memory and pipes do not count.
    public var read: Int64?
    public var written: Int64?
    /// How many other runs used its process at the same time.
    public var sharers: Int

    public init(
        processor: Int64? = nil, memory: Int64? = nil, read: Int64? = nil, written: Int64? = nil,
        sharers: Int = 0
    ) {
        self.processor = processor
        self.memory = memory
        self.read = read
        self.written = written
        self.sharers = sharers
    }

    /// "processor 1.2 s, peak memory 34 MiB, read 12 MiB, wrote 3 MiB".
    public var phrase: String {
        guard sharers == 0 else {
            return "unknown: it shared its process with \(Phrase.count(sharers, "other run"))"
        }
        return [
            ("processor", processor.map(Self.time)), ("peak memory", memory.map(Self.size)),
            ("read", read.map(Self.size)), ("wrote", written.map(Self.size)),
        ].map { "\($0) \($1 ?? "unknown")" }.joined(separator: ", ")
    }

    /// A time on the processors in milliseconds: the kernel counts in steps of 10 ms.
    package static func time(_ milliseconds: Int64) -> String {
        milliseconds < 10 ? "under 10 ms" : Phrase.about(.milliseconds(milliseconds))
    }

    /// A size of at most two or three digits: "1.5 KiB", "34 MiB".
    package static func size(_ bytes: Int64) -> String {
        var unit = 1.0
        while Double(bytes) / unit >= 1024, unit < 0x1p50 { unit *= 1024 }
        let value = Double(bytes) / unit
        let rounded = value < 10 ? (value * 10).rounded() / 10 : value.rounded()
        return Phrase.size(Int64((rounded * unit).clamped(to: 0...0x1p62)))
    }
}

extension RunCost {
    public var json: JSONValue {
        var members: [String: JSONValue] = [:]
        for (key, path) in Self.figures { members[key] = self[keyPath: path].map(JSONValue.integer) }
        if sharers > 0 { members["shared_with"] = .integer(Int64(sharers)) }
        return .object(members)
    }

    /// Nil: it is no cost.
    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init()
        for (key, path) in Self.figures {
            switch members[key] {
            case nil: break
            case .integer(let number)? where number >= 0: self[keyPath: path] = number
            default: return nil
            }
        }
        switch members["shared_with"] {
        case nil: break
        case .integer(let number)? where number >= 1: sharers = Int(clamping: number)
        default: return nil
        }
    }

    /// The figures by their names for programs.
    package static var figures: [(key: String, path: WritableKeyPath<RunCost, Int64?> & Sendable)] {
        [
            ("processor_ms", \.processor), ("peak_memory_bytes", \.memory), ("read_bytes", \.read),
            ("written_bytes", \.written),
        ]
    }
}
