public import LullModel

/// One try to tell somebody something: the notice, and how its sink is reached.
public struct Delivery: Sendable, Equatable {
    public var notice: Notice
    public var target: NoticeSink.Target

    public init(notice: Notice, target: NoticeSink.Target) {
        self.notice = notice
        self.target = target
    }
}
