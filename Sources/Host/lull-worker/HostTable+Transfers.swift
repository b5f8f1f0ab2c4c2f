import CLullPlugin
import LullModel
import LullWire

/// The host functions about transfers: each asks the host and waits for its answer.

@c func hostTransfer(
    _ host: Host, _ order: UnsafePointer<lull_transfer_order>, _ transfer: UnsafeMutablePointer<UInt64>,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    transfer.pointee = 0
    let verdict = ask(host, for: order)
    transfer.pointee = verdict.transfer
    return verdict.explain(reason, capacity)
}

private func ask(_ host: Host, for order: UnsafePointer<lull_transfer_order>) -> HostVerdict {
    guard let session = session(host) else { return .unavailable("") }
    do throws(TransferFault) {
        var (meant, path) = try TransferOrder.read(order)
        // An order with a fault is refused before its file is taken over.
        if let fault = meant.fault { throw TransferFault(fault) }
        let upload = try path.map { path throws(TransferFault) in
            try UploadFile(takingOver: path, of: String(decoding: session.stateFolder.bytes, as: UTF8.self))
        }
        if let upload { meant.file = upload.name }
        guard WorkerFrame.transfer(sequence: 0, meant) != nil else {
            upload?.remove()
            throw TransferFault("The transfer is larger than one message. Shorten its texts.")
        }
        let verdict = verdict(of: host) { sequence in
            WorkerFrame.transfer(sequence: sequence, meant) ?? .withdraw(sequence: sequence)
        }
        if verdict.transfer == 0 { upload?.remove() }
        return verdict
    } catch {
        return .unavailable(error.sentence)
    }
}

@c func hostTransfers(
    _ host: Host, _ name: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_transfer_state>) -> Void
) -> UInt64 {
    guard let session = session(host) else { return 0 }
    let name = CText.read(name, atMost: Wire.nameBytes)
    let folder = String(decoding: session.stateFolder.bytes, as: UTF8.self) + "/" + TransferFiles.folder
    var after: UInt64 = 0
    while true {
        let answer = session.ask { .transfers(sequence: $0, session: name, after: after) }.answer
        guard case .transfers(let next, let bytes, let isLast)? = answer,
            let states = try? Packed.decode([TransferState].self, from: bytes)
        else { return 0 }
        for state in states { state.withCState(folder: folder) { visit(context, $0) } }
        guard !isLast, let last = states.last, last.id.number > after else { return next }
        after = last.id.number
    }
}

@c func hostActOnTransfer(
    _ host: Host, _ transfer: UInt64, _ act: lull_transfer_act, _ reason: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> lull_status {
    guard let act = UInt8(exactly: act).flatMap({ TransferAct(number: $0) }) else {
        return HostVerdict.unavailable("This worker knows no act \(act). Use one of LULL_TRANSFER_….")
            .explain(reason, capacity)
    }
    return verdict(of: host, withdraws: false) {
        .transferAct(sequence: $0, transfer: transfer, act)
    }.explain(reason, capacity)
}

@c func hostAnswerChallenge(
    _ host: Host, _ transfer: UInt64, _ answer: lull_answer, _ user: UnsafePointer<CChar>?,
    _ password: UnsafePointer<CChar>?, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    let meant: TransferAnswer
    switch answer {
    case lull_answer(LULL_ANSWER_CREDENTIAL):
        meant = .credential(
            user: CText.read(user, atMost: Limits.credentialBytes + 1),
            password: CText.read(password, atMost: Limits.credentialBytes + 1))
    case lull_answer(LULL_ANSWER_CANCEL): meant = .cancel
    case lull_answer(LULL_ANSWER_REJECT): meant = .reject
    case lull_answer(LULL_ANSWER_TRUST): meant = .trust
    case lull_answer(LULL_ANSWER_NOBODY): meant = .nobody
    default: meant = .byDefault
    }
    if let fault = meant.fault { return HostVerdict.unavailable(fault).explain(reason, capacity) }
    return verdict(of: host, withdraws: false) {
        WorkerFrame.transferAnswer(sequence: $0, transfer: transfer, meant) ?? .withdraw(sequence: $0)
    }.explain(reason, capacity)
}

@c func hostSetTransferHandler(
    _ host: Host, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void)?
) {
    session(host)?.transferWatch.setHandler(
        handler.map { TransferWatch.Handler(function: $0, context: PluginContext(context)) })
}
