public import LullModel

/// A transfer for programs: `lull transfers --json` and the page's data. Keys are in snake case.
public struct TransferJSON: Encodable, Sendable {
    let id: String
    let app: AppIdentifier
    let session: String
    let ordinal: UInt64
    let direction: TransferOrder.Direction
    let url: String
    let label: String?
    let state: TransferState.Phase
    let isDiscretionary: Bool
    let asked: String
    let earliestBegin: String?
    let receivedBytes: Int64
    let toReceiveBytes: Int64?
    let sentBytes: Int64
    let toSendBytes: Int64?
    let bytesPerS: Double?
    /// Failed attempts in a row.
    let attempts: Int
    /// The reasons why it is not under way.
    let reasons: [String]
    let until: String?
    let likelyDone: String?
    /// The HTTP status.
    let status: Int?
    let code: Int?
    let failure: String?
    let ended: String?

    public init(_ report: TransferReport) {
        let transfer = report.state
        id = transfer.id.description
        app = transfer.app
        session = transfer.order.session
        ordinal = transfer.order.ordinal
        direction = transfer.order.direction
        url = transfer.order.shownURL
        label = transfer.order.label
        state = transfer.phase
        isDiscretionary = transfer.order.isDiscretionary
        asked = transfer.asked.rfc3339
        earliestBegin = transfer.order.earliestBegin?.rfc3339
        receivedBytes = transfer.result?.received ?? transfer.progress.received
        toReceiveBytes = transfer.progress.toReceive ?? transfer.order.expectedToReceive
        sentBytes = transfer.result?.sent ?? transfer.progress.sent
        toSendBytes = transfer.progress.toSend ?? transfer.order.expectedToSend
        bytesPerS = report.rate
        attempts = transfer.attempts
        reasons = report.reasons
        until = report.until?.rfc3339
        likelyDone = report.likelyDone?.rfc3339
        status = transfer.result?.status
        code = transfer.failure?.code
        failure = transfer.failure?.sentence
        ended = transfer.ended?.rfc3339
    }

    private enum CodingKeys: String, CodingKey {
        case id, app, session, ordinal, direction, url, label, state, asked, earliestBegin,
            receivedBytes, toReceiveBytes, sentBytes, toSendBytes, bytesPerS, attempts, reasons, until,
            likelyDone, status, code, failure, ended
        case isDiscretionary = "discretionary"
    }
}
