/// One process of an app's plugin, among those that a host has started.
///
/// An app may have several at once: a change of its manifest entry or plugin is met by a new one, and the old one finishes
/// its runs. The number is given once by a host, whichever the app.
public struct WorkerID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let app: AppIdentifier
    public let number: UInt64

    public init(app: AppIdentifier, number: UInt64) {
        self.app = app
        self.number = number
    }

    public var description: String { "\(app)#\(number)" }

    public static func < (a: Self, b: Self) -> Bool { (a.app, a.number) < (b.app, b.number) }
}
