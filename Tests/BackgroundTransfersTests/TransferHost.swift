import CLullPlugin
import Foundation
import Synchronization

@testable import BackgroundTransfers

/// A host in the test's own process: the transfer functions of a worker's table, and a record of their calls.
final class TransferHost: Sendable {
    /// The host's record of a transfer.
    struct Kept: Sendable {
        var number: UInt64
        var order: TransferOrder
        /// The content of the upload's file when the order came.
        var upload: String?
        var phase = lull_transfer_phase(LULL_TRANSFER_WAITING)
        var received: Int64 = 0
        var toReceive: Int64 = -1
        var sent: Int64 = 0
        var toSend: Int64 = -1
        var status: Int64 = 0
        var url: String?
        var headers: [TransferOrder.Header] = []
        var file: String?
        var code: Int64 = 0
        var sentence: String?
        var isResumable = false
        var wasTaking = false
        var challenge = lull_challenge(LULL_CHALLENGE_NONE)
        var failures: Int64 = 0
    }

    struct Record: Sendable {
        var transfers: [Kept] = []
        var acts: [String] = []
        var answers: [String] = []
        var isSilent = false
        /// If not nil, the host refuses everything.
        var refusal: String?
        var status = lull_status(LULL_UNAVAILABLE)
        var number: UInt64 = 16
        var isWatched = false
    }

    let record = Mutex(Record())
    // Safe: written here and nowhere else.
    nonisolated(unsafe) private let memory: UnsafeMutablePointer<lull_host>

    var table: TransferTable { TransferTable(memory) }

    init(size: Int = MemoryLayout<lull_host>.size) {
        // Never freed, as a worker's table is not. The functions that no test calls are null.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<lull_host>.size, alignment: 8)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<lull_host>.size)
        memory = raw.bindMemory(to: lull_host.self, capacity: 1)
        memory.pointee.size = UInt32(size)
        memory.pointee.transfer = hostTransfer
        memory.pointee.transfers = hostTransfers
        memory.pointee.act_on_transfer = hostAct
        memory.pointee.answer_challenge = hostAnswer
        memory.pointee.set_transfer_handler = hostSetHandler
        memory.pointee.reserved = Unmanaged.passRetained(self).toOpaque()
    }

    /// Changes the transfer with this ordinal, and notifies the plugin.
    func change(_ ordinal: UInt64, in session: String, _ change: @Sendable (inout Kept) -> Void) {
        record.withLock { record in
            for index in record.transfers.indices
            where record.transfers[index].order.ordinal == ordinal
                && record.transfers[index].order.session == session
            {
                change(&record.transfers[index])
            }
        }
        tell(session)
    }

    func tell(_ session: String) { BackgroundSessions.app.changed(session) }

    var acts: [String] { record.withLock(\.acts) }
    var orders: [TransferOrder] { record.withLock { $0.transfers.map(\.order) } }
}

private func own(_ host: UnsafePointer<lull_host>) -> TransferHost {
    guard let reserved = host.pointee.reserved else { preconditionFailure("the table is not the test's") }
    return Unmanaged<TransferHost>.fromOpaque(reserved).takeUnretainedValue()
}

private func refuse(
    _ host: UnsafePointer<lull_host>, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status? {
    let (refusal, status) = own(host).record.withLock { ($0.refusal, $0.status) }
    guard let refusal else { return nil }
    for (index, byte) in refusal.utf8CString.prefix(capacity).enumerated() { buffer?[index] = byte }
    return status
}

@c private func hostTransfer(
    _ host: UnsafePointer<lull_host>, _ order: UnsafePointer<lull_transfer_order>,
    _ transfer: UnsafeMutablePointer<UInt64>, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    if let status = refuse(host, reason, capacity) { return status }
    var read = TransferOrder(order)
    read.file = order.pointee.file.map { String(cString: $0) }
    let upload = read.file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    transfer.pointee = own(host).record.withLock { record in
        record.number += 1
        record.transfers.append(TransferHost.Kept(number: record.number, order: read, upload: upload))
        return record.number
    }
    return lull_status(LULL_OK)
}

@c private func hostTransfers(
    _ host: UnsafePointer<lull_host>, _ session: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_transfer_state>) -> Void
) -> UInt64 {
    let name = session.map { String(cString: $0) }
    let (found, isSilent) = own(host).record.withLock { record in
        (record.transfers.filter { name == nil || $0.order.session == name }, record.isSilent)
    }
    if isSilent { return 0 }
    for kept in found { kept.withState { visit(context, $0) } }
    return (found.map(\.order.ordinal).max() ?? 0) + 1
}

@c private func hostAct(
    _ host: UnsafePointer<lull_host>, _ transfer: UInt64, _ act: lull_transfer_act,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    if let status = refuse(host, reason, capacity) { return status }
    let names = ["", "cancel", "cancel keeping", "suspend", "resume", "taking", "taken"]
    own(host).record.withLock { record in
        record.acts.append("\(names[Int(act)]) \(transfer)")
        guard let index = record.transfers.firstIndex(where: { $0.number == transfer }) else { return }
        switch Int(act) {
        case LULL_TRANSFER_CANCEL, LULL_TRANSFER_CANCEL_KEEPING:
            record.transfers[index].phase = lull_transfer_phase(LULL_TRANSFER_CANCELLED)
        case LULL_TRANSFER_SUSPEND:
            record.transfers[index].phase = lull_transfer_phase(LULL_TRANSFER_PAUSED)
        case LULL_TRANSFER_RESUME:
            record.transfers[index].phase = lull_transfer_phase(LULL_TRANSFER_WAITING)
        case LULL_TRANSFER_TAKEN: record.transfers.remove(at: index)
        default: break
        }
    }
    return lull_status(LULL_OK)
}

@c private func hostAnswer(
    _ host: UnsafePointer<lull_host>, _ transfer: UInt64, _ answer: lull_answer,
    _ user: UnsafePointer<CChar>?, _ password: UnsafePointer<CChar>?,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    if let status = refuse(host, reason, capacity) { return status }
    let words = [user, password].compactMap { $0.map { String(cString: $0) } }
    own(host).record.withLock {
        $0.answers.append(([String(answer)] + words).joined(separator: " "))
    }
    return lull_status(LULL_OK)
}

@c private func hostSetHandler(
    _ host: UnsafePointer<lull_host>, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void)?
) {
    own(host).record.withLock { $0.isWatched = handler != nil }
}

extension TransferHost.Kept {
    func withState(_ use: (UnsafePointer<lull_transfer_state>) -> Void) {
        var texts: [UnsafeMutablePointer<CChar>] = []
        defer { for text in texts { free(text) } }
        func lend(_ text: String?) -> UnsafePointer<CChar>? {
            guard let text, let copy = strdup(text) else { return nil }
            texts.append(copy)
            return UnsafePointer(copy)
        }
        var lent: [lull_header] = []
        for header in headers {
            guard let name = lend(header.name), let value = lend(header.value) else { continue }
            lent.append(lull_header(name: name, value: value))
        }
        order.withOrder { order in
            lent.withUnsafeBufferPointer { headers in
                let state = lull_transfer_state(
                    size: UInt32(MemoryLayout<lull_transfer_state>.size), phase: phase, transfer: number,
                    order: order, received: received, to_receive: toReceive, sent: sent, to_send: toSend,
                    status: status, url: lend(url), headers: headers.baseAddress,
                    header_count: headers.count, file: lend(file), code: code, sentence: lend(sentence),
                    is_resumable: isResumable, was_taking: wasTaking, challenge_port: 443,
                    challenge: challenge, challenge_host: lend("example.org"),
                    challenge_scheme: lend("https"), challenge_realm: lend("realm"),
                    challenge_failures: failures, asked_unix_ns: 0)
                withUnsafePointer(to: state, use)
            }
        }
    }
}
