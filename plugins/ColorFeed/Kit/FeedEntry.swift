public import Foundation

/// One colour of the feed: a gradient that was current at a time.
public struct FeedEntry: Sendable, Equatable {
    public var id: String
    public var name: String
    public var time: Date
    public var gradient: Gradient
    /// Whether the feed gave a time. An entry without one is dated by its first fetch, and its id alone
    /// tells whether it is new.
    public var isDated: Bool

    public init(id: String, name: String, time: Date, gradient: Gradient, isDated: Bool = true) {
        self.id = id
        self.name = name
        self.time = time
        self.gradient = gradient
        self.isDated = isDated
    }

    /// Two colours and the direction in degrees in which the first becomes the second.
    public struct Gradient: Sendable, Equatable {
        public var first: String
        public var second: String
        public var direction: Double

        public init(first: String, second: String, direction: Double) {
            self.first = first
            self.second = second
            self.direction = direction
        }
    }
}
