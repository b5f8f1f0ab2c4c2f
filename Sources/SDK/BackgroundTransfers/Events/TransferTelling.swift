/// What a delegate is told of a transfer.
enum TransferEvent: Sendable, Equatable {
    case resumed(offset: Int64, total: Int64)
    case wrote(Int64, total: Int64, expected: Int64)
    case sent(Int64, total: Int64, expected: Int64)
    /// An attempt was interrupted.
    case waits
    case challenged(TransferChallenge)
    /// All else that is to be told of it comes from the record.
    case ended(TransferRecord)
}

/// What a delegate has been told of one transfer, so that it is told each thing once.
///
/// Pure: from one record of the transfer to the next it says what is new.
struct TransferTelling: Sendable {
    private var received: Int64 = 0
    private var sent: Int64 = 0
    private var hasResumed = false
    private var wasActive = false
    private var challenge: TransferChallenge?
    private var hasEnded = false

    mutating func events(of record: TransferRecord) -> [TransferEvent] {
        if hasEnded { return [] }
        var events: [TransferEvent] = []
        if record.order.resumes != 0, !hasResumed, record.received > 0 {
            hasResumed = true
            // Of one that is over already nobody knows where it went on.
            if !record.phase.isOver {
                received = record.received
                events.append(.resumed(offset: record.received, total: record.toReceive))
            }
        }
        // Who was told of an end before has been told all that goes before it.
        if !record.wasTaking { events += progress(of: record) }
        switch record.phase {
        case .waiting:
            if wasActive { events.append(.waits) }
        case .challenged:
            if let asked = record.challenge, asked != challenge {
                challenge = asked
                events.append(.challenged(asked))
            }
        case .active, .paused: break
        case .finished, .failed, .cancelled:
            hasEnded = true
            events.append(.ended(record))
        }
        wasActive = record.phase == .active
        return events
    }

    private mutating func progress(of record: TransferRecord) -> [TransferEvent] {
        var events: [TransferEvent] = []
        // A body that a download sends is told of as well.
        if record.sent > sent {
            events.append(.sent(record.sent - sent, total: record.sent, expected: record.toSend))
        }
        if record.received > received, !record.order.isUpload {
            events.append(
                .wrote(record.received - received, total: record.received, expected: record.toReceive))
        }
        // An attempt that begins anew counts from the beginning.
        sent = record.sent
        received = record.received
        return events
    }

    /// The end could not be told: it is to be told again.
    mutating func repeatEnd() { hasEnded = false }
}
