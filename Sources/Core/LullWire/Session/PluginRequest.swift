public import LullModel

/// A request of a plugin, before the scheduler has checked it.
public struct PluginRequest: Sendable, Equatable {
    public var task: TaskIdentifier
    public var kind: Kind
    public var earliestBegin: WallTime?
    public var requires: Requirements
    public var label: RequestLabel?
    /// Of a continued request: whether it is launched at once or not at all.
    public var isImmediate: Bool

    /// Nil when the identifier is no reverse-DNS name.
    public init?(_ request: WireRequest) {
        guard let task = TaskIdentifier(request.identifier) else { return nil }
        isImmediate = request.isImmediate
        label = RequestLabel(
            title: request.label.title, subtitle: request.label.subtitle,
            protection: request.label.protection)
        self.task = task
        kind = Kind(request.kind)
        if request.earliestBegin != 0 {
            // Rounded up, so that it is never before the requested instant.
            let (quotient, remainder) = request.earliestBegin.quotientAndRemainder(dividingBy: 1_000_000)
            earliestBegin = WallTime(milliseconds: remainder > 0 ? quotient + 1 : quotient)
        }
        // The contract: requirements belong to processing requests only.
        let bits = kind == .processing ? request.requirements : 0
        requires = Requirements(
            network: bits & WireRequest.network != 0 ? .any : nil,
            externalPower: bits & WireRequest.externalPower != 0)
    }
}
