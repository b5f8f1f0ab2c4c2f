import CLullPlugin
import Foundation

/// A transfer as the host shows it, copied out of borrowed memory.
struct TransferRecord: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        case waiting, active, challenged, paused, finished, failed, cancelled
        var isOver: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    var number: UInt64
    var order: TransferOrder
    var phase: Phase
    var received: Int64
    /// Below 0: not known, as Apple has it.
    var toReceive: Int64
    var sent: Int64
    var toSend: Int64
    /// Of a transfer that has finished.
    var status: Int
    var url: String?
    var headers: [TransferOrder.Header]
    var file: String?
    /// Of a transfer that has failed.
    var code: Int
    var sentence: String?
    var isResumable: Bool
    var wasTaking: Bool
    /// Of a transfer that is challenged.
    var challenge: TransferChallenge?

    init(_ state: UnsafePointer<lull_transfer_state>) {
        let value = state.pointee
        number = value.transfer
        order = TransferOrder(value.order)
        phase = Phase(value.phase)
        received = value.received
        toReceive = value.to_receive
        sent = value.sent
        toSend = value.to_send
        status = Int(value.status)
        url = value.url.map { String(cString: $0) }
        headers = TransferOrder.headers(value.headers, value.header_count)
        file = value.file.map { String(cString: $0) }
        code = Int(value.code)
        sentence = value.sentence.map { String(cString: $0) }
        isResumable = value.is_resumable
        wasTaking = value.was_taking
        challenge = phase == .challenged ? TransferChallenge(value) : nil
    }
}

/// A server's authentication challenge.
struct TransferChallenge: Sendable, Hashable {
    enum Method: Sendable, Hashable { case serverTrust, basic, digest, clientCertificate, other }
    var method: Method
    var host: String
    var port: Int
    var scheme: String
    var realm: String?
    var failures: Int
}

extension TransferChallenge {
    fileprivate init(_ value: lull_transfer_state) {
        switch value.challenge {
        case lull_challenge(LULL_CHALLENGE_SERVER_TRUST): method = .serverTrust
        case lull_challenge(LULL_CHALLENGE_BASIC): method = .basic
        case lull_challenge(LULL_CHALLENGE_DIGEST): method = .digest
        case lull_challenge(LULL_CHALLENGE_CLIENT_CERTIFICATE): method = .clientCertificate
        default: method = .other
        }
        host = value.challenge_host.map { String(cString: $0) } ?? ""
        port = Int(value.challenge_port)
        scheme = value.challenge_scheme.map { String(cString: $0) } ?? ""
        realm = value.challenge_realm.map { String(cString: $0) }
        failures = Int(value.challenge_failures)
    }
}

extension TransferRecord.Phase {
    fileprivate init(_ phase: lull_transfer_phase) {
        switch phase {
        case lull_transfer_phase(LULL_TRANSFER_ACTIVE): self = .active
        case lull_transfer_phase(LULL_TRANSFER_CHALLENGED): self = .challenged
        case lull_transfer_phase(LULL_TRANSFER_PAUSED): self = .paused
        case lull_transfer_phase(LULL_TRANSFER_FINISHED): self = .finished
        case lull_transfer_phase(LULL_TRANSFER_FAILED): self = .failed
        case lull_transfer_phase(LULL_TRANSFER_CANCELLED): self = .cancelled
        default: self = .waiting
        }
    }
}
