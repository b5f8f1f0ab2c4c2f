public import LullModel

/// Transfers on the wire: acts as numbers, the rest as packed values.
extension TransferAct {
    /// `lull_transfer_act`.
    public var number: UInt8 {
        switch self {
        case .cancel: 1
        case .cancelKeeping: 2
        case .suspend: 3
        case .resume: 4
        case .taking: 5
        case .taken: 6
        }
    }

    /// Nil: the number is no act.
    public init?(number: UInt8) {
        guard let act = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = act
    }
}

extension FrameReader {
    mutating func transferAct() throws(WireError) -> TransferAct {
        let number = try byte()
        guard let act = TransferAct(number: number) else { throw .unknownValue(number) }
        return act
    }
}

extension WorkerFrame {
    /// Nil: it is too long for a frame.
    public static func transfer(sequence: UInt64, _ order: TransferOrder) -> WorkerFrame? {
        pack(order).map { .transfer(sequence: sequence, order: $0) }
    }

    /// Nil: it is too long for a frame.
    public static func transferAnswer(
        sequence: UInt64, transfer: UInt64, _ answer: TransferAnswer
    ) -> WorkerFrame? {
        pack(answer).map { .transferAnswer(sequence: sequence, transfer: transfer, answer: $0) }
    }

    private static func pack(_ value: some Encodable) -> [UInt8]? {
        guard let bytes = try? Packed.encode(value), bytes.count <= Wire.packedBytes else { return nil }
        return bytes
    }
}

extension HostFrame {
    /// The first states, as many as fit into one frame.
    static func transfersReply(
        sequence: UInt64, next: UInt64, _ states: some Collection<TransferState>
    ) -> HostFrame {
        var room = Wire.packedBytes - 64
        var fitting: [TransferState] = []
        for state in states {
            guard let (state, bytes) = packable(state) else { continue }
            // Together they are shorter than the sum, because shared texts are written once.
            guard bytes <= room else { break }
            room -= bytes
            fitting.append(state)
        }
        return .transfersReply(
            sequence: sequence, next: next, states: (try? Packed.encode(fitting)) ?? [],
            isLast: fitting.count == states.count)
    }

    /// A state that fits into a frame, and its size in bytes. A state that is too long loses its body, then its headers too: the
    /// app can do without these, but not without the state.
    private static func packable(_ state: TransferState) -> (TransferState, bytes: Int)? {
        var state = state
        for attempt in 0..<3 {
            if attempt > 0 { state.order.body = nil }
            if attempt > 1 {
                state.order.headers = []
                state.result?.headers = []
            }
            if let bytes = try? Packed.encode(state).count, bytes <= Wire.packedBytes - 64 {
                return (state, bytes)
            }
        }
        return nil
    }
}
