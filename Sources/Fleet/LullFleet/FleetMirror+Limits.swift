public import LullModel

/// What the mirror of a history is made with, and its limits.
extension FleetMirror {
    public struct Sender: Sendable {
        /// The process, as in `FleetHello`.
        public var host: String
        public var place: String
        public var name: String

        public init(host: String, place: String, name: String) {
            (self.host, self.place, self.name) = (host, place, name)
        }
    }

    /// Calls `then` on the loop, once: with the page, or with a sentence that says why there is none.
    public typealias Read = (MirrorPage.Request, _ then: @escaping (Result<MirrorPage, Unread>) -> Void) ->
        Void

    public struct Unread: Error, Sendable {
        public var sentence: String
        public init(_ sentence: String) { self.sentence = sentence }
    }

    public static let events = 200
    public static let bytes = 256 << 10
    /// Events that are recorded within this time go in one call.
    public static let gathering: Duration = .seconds(2)
    /// The pause between a failure and the next try; it doubles.
    public static let timeout: Duration = .seconds(30)
    /// The pause between two pages of which nothing is sent.
    public static let breath: Duration = .milliseconds(100)
    public static let mostTimeout: Duration = .minutes(10)
    /// After so many events that stay here, or so long, the database is told that they do, since they may be deleted.
    public static let mostWithheld = 1_000
    public static let quiet: Duration = .hours(12)
}
