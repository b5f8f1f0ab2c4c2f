import CLullPlugin
import Glibc
import LullModel
import LullWire

/// The host functions about requests: each asks the host and waits for its answer.

@c func hostSubmit(_ host: Host, _ request: UnsafePointer<lull_request>) -> lull_status {
    submit(host, request).status
}

@c func hostSubmitExplained(
    _ host: Host, _ request: UnsafePointer<lull_request>, _ reason: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> lull_status {
    let verdict = submit(host, request)
    CText.copy(Array(verdict.sentence.utf8), to: reason, capacity: capacity)
    return verdict.status
}

@c func hostCancel(_ host: Host, _ identifier: UnsafePointer<CChar>?) {
    let identifier = identifier.map { CText.read($0, atMost: Wire.nameBytes + 1) }
    _ = session(host)?.ask { .cancel(sequence: $0, identifier: identifier) }
}

@c func hostPending(
    _ host: Host, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_request>) -> Void
) {
    guard case .pending(let requests)? = session(host)?.ask({ .pending(sequence: $0) }).answer else { return }
    for request in requests {
        request.identifier.withCString { identifier in
            request.label.withCStrings { title, subtitle, protection in
                let value = lull_request(
                    size: UInt32(MemoryLayout<lull_request>.size), kind: lull_kind(request.kind.rawValue),
                    identifier: identifier, earliest_begin_unix_ns: request.earliestBegin,
                    requirements: request.requirements, reserved: 0, title: title, subtitle: subtitle,
                    strategy: lull_strategy(LULL_STRATEGY_QUEUE), resources: request.resources,
                    protection: protection)
                withUnsafePointer(to: value) { visit(context, $0) }
            }
        }
    }
}

private func submit(_ host: Host, _ request: UnsafePointer<lull_request>) -> (
    status: lull_status, sentence: String
) {
    guard let session = session(host) else { return (lull_status(LULL_UNAVAILABLE), "") }
    let wish: WireRequest
    switch read(request) {
    case .wish(let request): wish = request
    case .fault(let sentence): return (lull_status(LULL_UNAVAILABLE), sentence)
    }
    let (sequence, answer) = session.ask { .submit(sequence: $0, request: wish) }
    if case .verdict(let status, let sentence)? = answer { return (status, sentence) }
    // Without a number it was never sent, so there is nothing to take back.
    if sequence != 0 { ControlSocket.send(.withdraw(sequence: sequence)) }
    return (
        lull_status(LULL_UNAVAILABLE),
        "The host did not answer within \(Limits.submitWait.milliseconds) ms; the request has no effect. "
            + "Submit it again later."
    )
}

private enum Reading { case wish(WireRequest), fault(String) }

private func read(_ request: UnsafePointer<lull_request>) -> Reading {
    let raw = UnsafeRawPointer(request)
    guard raw.load(as: UInt32.self) >= leastRequestSize,
        let offset = MemoryLayout<lull_request>.offset(of: \.identifier),
        let identifier = raw.load(fromByteOffset: offset, as: UnsafePointer<CChar>?.self)
    else {
        return .fault(
            "The request is smaller than that of version 1.0, or names no task. Set its size and its identifier."
        )
    }
    let value = whole(request)
    let kind: WireKind
    switch value.kind {
    case lull_kind(LULL_KIND_REFRESH): kind = .refresh
    case lull_kind(LULL_KIND_PROCESSING): kind = .processing
    case lull_kind(LULL_KIND_CONTINUED): kind = .continued
    default:
        return .fault(
            "This worker knows no requests of kind \(value.kind). "
                + "Use LULL_KIND_REFRESH, LULL_KIND_PROCESSING or LULL_KIND_CONTINUED.")
    }
    let isContinued = kind == .continued
    if isContinued, let refusal = Resources.refusal(of: value.resources) { return .fault(refusal) }
    return .wish(
        WireRequest(
            kind: kind, identifier: CText.read(identifier, atMost: Wire.nameBytes + 1),
            earliestBegin: value.earliest_begin_unix_ns, requirements: value.requirements,
            resources: isContinued ? value.resources : 0,
            isImmediate: isContinued && value.strategy == lull_strategy(LULL_STRATEGY_FAIL),
            label: WireLabel(
                title: isContinued ? text(value.title) : nil,
                subtitle: isContinued ? text(value.subtitle) : nil,
                protection: kind == .processing ? text(value.protection) : nil)))
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { CText.read($0, atMost: Limits.titleBytes) }
}

/// The size of `lull_request` in ABI 1.0.
private let leastRequestSize: UInt32 = 32

/// The request, with zeros in the fields that its maker's version lacks: its memory may end before them.
private func whole(_ request: UnsafePointer<lull_request>) -> lull_request {
    let known = min(Int(UnsafeRawPointer(request).load(as: UInt32.self)), MemoryLayout<lull_request>.size)
    return withUnsafeTemporaryAllocation(of: lull_request.self, capacity: 1) { copy in
        let bytes = UnsafeMutableRawBufferPointer(copy)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: request, count: known))
        return copy[0]
    }
}
