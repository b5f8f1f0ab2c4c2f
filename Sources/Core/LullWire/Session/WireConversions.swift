public import LullModel

extension Kind {
    public init(_ kind: WireKind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        case .push: self = .push
        case .transfers: self = .transfers
        }
    }
}

extension WireKind {
    public init(_ kind: Kind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        case .push: self = .push
        case .transfers: self = .transfers
        }
    }
}

extension WireLabel {
    public init(_ label: RequestLabel?) {
        self.init(title: label?.title, subtitle: label?.subtitle, protection: label?.protection)
    }
}

extension WirePush {
    public init?(_ push: PushNote?) {
        guard let push else { return nil }
        self.init(
            payload: push.payload ?? "{}", merged: UInt32(clamping: push.merged), isUrgent: push.isUrgent)
    }
}

extension WireRequest {
    public init(_ request: TaskRequest) {
        let begin = request.earliestBegin?.milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(
            kind: WireKind(request.kind), identifier: request.task.text,
            earliestBegin: begin.map { $0.overflow ? .max : $0.partialValue } ?? 0,
            requirements: (request.requires.network != nil ? Self.network : 0)
                | (request.requires.externalPower ? Self.externalPower : 0),
            label: WireLabel(request.label))
    }
}
