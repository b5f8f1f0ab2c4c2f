public import LullModel

/// The transfers of a plugin: its orders, and the host's answers.
extension WorkerSession {
    mutating func takeTransfer(
        _ sequence: UInt64, _ bytes: [UInt8], _ count: inout UInt64
    ) -> [SessionDeed] {
        guard let order = try? Packed.decode(TransferOrder.self, from: bytes) else {
            return violate(nil, "It wrote a transfer order that can't be read.", isFatal: true)
        }
        if let fault = order.fault { return refuse(sequence, .unavailable, fault) }
        return ask(sequence, &count) { .transfer($0, sequence: sequence, order) }
    }

    mutating func takeTransferAnswer(
        _ sequence: UInt64, _ transfer: UInt64, _ bytes: [UInt8], _ count: inout UInt64
    ) -> [SessionDeed] {
        guard let answer = try? Packed.decode(TransferAnswer.self, from: bytes) else {
            return violate(nil, "It wrote an answer to a challenge that can't be read.", isFatal: true)
        }
        if let fault = answer.fault { return refuse(sequence, .unavailable, fault) }
        return ask(sequence, &count) {
            .transferAnswer($0, sequence: sequence, TransferID(transfer), answer)
        }
    }

    mutating func takeTransfersQuery(
        _ sequence: UInt64, _ session: String, _ after: UInt64
    ) -> [SessionDeed] {
        guard visits[sequence] == nil, visits.count < Self.openSubmits else {
            return violate(nil, "It asks for its transfers too often at once.", isFatal: true)
        }
        visits[sequence] = TransferID(after)
        return [.say(.transfersQuery(sequence: sequence, session: session.isEmpty ? nil : session))]
    }

    /// The reply to an order; nil: the plugin no longer waits for it.
    public mutating func answerTransfer(
        _ id: SubmitID, _ sequence: UInt64, _ verdict: Result<TransferID, Refusal>
    ) -> HostFrame? {
        guard let number = settle(id, sequence) else { return nil }
        switch verdict {
        case .success(let transfer):
            return .transferReply(sequence: number, status: 0, sentence: "", transfer: transfer.number)
        case .failure(let refusal):
            return .transferReply(
                sequence: number, status: refusal.code.rawValue, sentence: refusal.sentence, transfer: 0)
        }
    }

    /// The app's transfers after the last one that the plugin has got: as many as fit into one frame, because all of them could
    /// be more than its socket holds.
    public mutating func answerTransfers(
        _ sequence: UInt64, next: UInt64, _ states: [TransferState]
    ) -> HostFrame? {
        guard let after = visits.removeValue(forKey: sequence), isListenedTo else { return nil }
        let rest = states.filter { $0.id > after }.sorted { $0.id < $1.id }
        return .transfersReply(sequence: sequence, next: next, rest)
    }

    /// Nil: the plugin is not listening, or is not ready and lists its transfers when it is.
    public func tellTransfers(of session: String) -> HostFrame? {
        isReady && isListenedTo ? .transferNews(session: session) : nil
    }
}
