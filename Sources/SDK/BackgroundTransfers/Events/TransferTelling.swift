/// An event of a transfer, for its delegate.
enum TransferEvent: Sendable, Equatable {
    case resumed(offset: Int64, total: Int64)
    case wrote(Int64, total: Int64, expected: Int64)
    case sent(Int64, total: Int64, expected: Int64)
    /// An attempt was interrupted.
    case waits
    case challenged(TransferChallenge)
    /// The record holds all else that the delegate is told.
    case ended(TransferRecord)
}

/// The events of one transfer that its delegate has received, so that each is delivered once.
///
/// Pure: it compares each record of the transfer with the one before.
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
            // If the transfer is over already, the offset at which it resumed is unknown.
            if !record.phase.isOver {
                received = record.received
                events.append(.resumed(offset: record.received, total: record.toReceive))
            }
        }
        // A worker that began to deliver the end had delivered everything before it.
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
        // A download may send a body as well.
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

    /// The end could not be delivered: it is delivered again.
    mutating func repeatEnd() { hasEnded = false }
}
