public import LullModel
public import LullWire

extension Kind {
    public init(_ kind: WireKind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        }
    }
}

extension WireKind {
    public init(_ kind: Kind) {
        switch kind {
        case .refresh: self = .refresh
        case .processing: self = .processing
        case .continued: self = .continued
        }
    }
}

extension WireLabel {
    public init(_ label: RequestLabel?) {
        self.init(title: label?.title, subtitle: label?.subtitle, protection: label?.protection)
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
