import CLullPlugin
import LullModel

extension TransferState {
    /// Lends the state to C. `folder` is where the app's transfers have their files.
    func withCState(folder: String, _ body: (UnsafePointer<lull_transfer_state>) -> Void) {
        var arena = CArena()
        defer { arena.free() }
        withUnsafePointer(to: cOrder(&arena)) { order in
            let state = cState(folder, order, &arena)
            withUnsafePointer(to: state, body)
        }
    }

    private func cOrder(_ arena: inout CArena) -> lull_transfer_order {
        let body = order.body?.bytes ?? []
        return lull_transfer_order(
            size: UInt32(MemoryLayout<lull_transfer_order>.size),
            direction: order.direction == .upload
                ? lull_transfer_direction(LULL_TRANSFER_UPLOAD)
                : lull_transfer_direction(LULL_TRANSFER_DOWNLOAD),
            session: arena.text(order.session), ordinal: order.ordinal, method: arena.text(order.method),
            url: arena.text(order.url), headers: arena.headers(order.headers),
            header_count: order.headers.count, body: arena.array(body).map { UnsafeRawPointer($0) },
            body_size: body.count, file: nil, label: arena.text(order.label), flags: flags, reserved: 0,
            earliest_begin_unix_ns: order.earliestBegin.map { nanoseconds($0) } ?? 0,
            expected_to_send: order.expectedToSend ?? -1, expected_to_receive: order.expectedToReceive ?? -1,
            idle_limit_ms: order.idleLimit.milliseconds, whole_limit_ms: order.wholeLimit.milliseconds,
            resumes: order.resumes?.number ?? 0)
    }

    private func cState(
        _ folder: String, _ order: UnsafePointer<lull_transfer_order>, _ arena: inout CArena
    ) -> lull_transfer_state {
        lull_transfer_state(
            size: UInt32(MemoryLayout<lull_transfer_state>.size), phase: phase.number,
            transfer: id.number, order: order, received: result?.received ?? progress.received,
            to_receive: result?.received ?? progress.toReceive ?? -1, sent: result?.sent ?? progress.sent,
            to_send: progress.toSend ?? -1, status: Int64(result?.status ?? 0),
            url: arena.text(result?.url), headers: arena.headers(result?.headers ?? []),
            header_count: result?.headers.count ?? 0,
            file: arena.text(phase == .finished ? folder + "/" + TransferFiles.done(stem) : nil),
            code: Int64(failure?.code ?? 0), sentence: arena.text(failure?.sentence),
            is_resumable: isResumable, was_taking: wasTaking,
            challenge_port: UInt16(clamping: challenge?.port ?? 0),
            challenge: challenge?.method.number ?? lull_challenge(LULL_CHALLENGE_NONE),
            challenge_host: arena.text(challenge?.host), challenge_scheme: arena.text(challenge?.scheme),
            challenge_realm: arena.text(challenge?.realm),
            challenge_failures: Int64(challenge?.failures ?? 0), asked_unix_ns: nanoseconds(asked))
    }

    private var flags: lull_transfer_flags {
        var flags = 0
        if order.isDiscretionary { flags |= LULL_TRANSFER_DISCRETIONARY }
        if !order.allowsExpensive { flags |= LULL_TRANSFER_NOT_EXPENSIVE }
        if !order.allowsConstrained { flags |= LULL_TRANSFER_NOT_CONSTRAINED }
        if !order.sendsLaunchEvents { flags |= LULL_TRANSFER_NO_LAUNCH }
        if order.asksChallenges { flags |= LULL_TRANSFER_ASKS }
        return lull_transfer_flags(flags)
    }

    private func nanoseconds(_ time: WallTime) -> Int64 {
        let nanoseconds = time.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return nanoseconds.overflow ? .max : nanoseconds.partialValue
    }
}

extension CArena {
    fileprivate mutating func headers(_ headers: [TransferHeader]) -> UnsafePointer<lull_header>? {
        var lent: [lull_header] = []
        for header in headers { lent.append(lull_header(name: text(header.name), value: text(header.value))) }
        return array(lent)
    }
}

extension TransferState.Phase {
    fileprivate var number: lull_transfer_phase {
        let number =
            switch self {
            case .waiting: LULL_TRANSFER_WAITING
            case .active: LULL_TRANSFER_ACTIVE
            case .challenged: LULL_TRANSFER_CHALLENGED
            case .paused: LULL_TRANSFER_PAUSED
            case .finished: LULL_TRANSFER_FINISHED
            case .failed: LULL_TRANSFER_FAILED
            case .cancelled: LULL_TRANSFER_CANCELLED
            }
        return lull_transfer_phase(number)
    }
}

extension TransferChallenge.Method {
    fileprivate var number: lull_challenge {
        let number =
            switch self {
            case .serverTrust: LULL_CHALLENGE_SERVER_TRUST
            case .basic: LULL_CHALLENGE_BASIC
            case .digest: LULL_CHALLENGE_DIGEST
            case .clientCertificate: LULL_CHALLENGE_CLIENT_CERTIFICATE
            }
        return lull_challenge(number)
    }
}
