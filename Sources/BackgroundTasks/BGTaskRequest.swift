import Foundation

/// A wish that a task be launched once. Submit one of its subclasses.
public class BGTaskRequest: NSObject, NSCopying {
    /// The task that this asks for.
    public let identifier: String

    /// The launch never comes before this date, and may come any time after it; nil sets no bound.
    public var earliestBeginDate: Date?

    /// Subclasses only; a request of no kind can't be launched.
    init(taskIdentifier: String) {
        identifier = taskIdentifier
        super.init()
    }

    /// An independent request that says the same.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = RequestContent(self).makeRequest()
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }

    public override var description: String {
        // Taken to the nearest date that fits: Foundation can't print each one.
        let begin =
            earliestBeginDate.map { ", not before \(Date(unixNanoseconds: $0.unixNanoseconds))" } ?? ""
        return "<\(type(of: self)): \(identifier)\(begin)>"
    }
}

/// Asks for a short launch, shortly before the app is likely to be used, to fetch what is new.
public class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) {
        super.init(taskIdentifier: identifier)
    }
}

/// Asks for a long launch, in a lull of the host, for work that may wait.
public class BGProcessingTaskRequest: BGTaskRequest {
    /// Whether to wait for a network.
    public var requiresNetworkConnectivity = false

    /// Whether to wait for external power.
    public var requiresExternalPower = false

    public init(identifier: String) {
        super.init(taskIdentifier: identifier)
    }
}
