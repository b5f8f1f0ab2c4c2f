public import LullModel

/// One attempt to deliver a notice: the notice, and how its sink is reached.
public struct Delivery: Sendable, Equatable {
    public var notice: Notice
    public var target: NoticeSink.Target

    public init(notice: Notice, target: NoticeSink.Target) {
        self.notice = notice
        self.target = target
    }
}
