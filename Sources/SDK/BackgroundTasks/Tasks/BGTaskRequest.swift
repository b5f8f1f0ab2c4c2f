import Foundation

/// A request that a task be launched once. Submit one of its subclasses.
///
/// Apple: BackgroundTasks, `BGTaskRequest`.
open class BGTaskRequest: NSObject, NSCopying {
    /// The task that this asks for.
    public let identifier: String

    /// The launch never comes before this date, and may come any time after it; nil sets no bound.
    ///
    /// A lower bound, not a schedule. A continued request ignores it and begins as soon as it can.
    ///
    /// Apple: BackgroundTasks, `BGTaskRequest.earliestBeginDate`.
    public var earliestBeginDate: Date?

    /// For subclasses only: a request without a kind can't be launched.
    init(taskIdentifier: String) {
        identifier = taskIdentifier
        super.init()
    }

    /// An independent request with the same content.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = RequestContent(self).makeRequest()
        copy.earliestBeginDate = earliestBeginDate
        return copy
    }

    /// The class, the identifier and the earliest begin date.
    public override var description: String {
        // Clamped first: Foundation can't print every date.
        let begin =
            earliestBeginDate.map { ", not before \(Date(unixNanoseconds: $0.unixNanoseconds))" } ?? ""
        return "<\(type(of: self)): \(identifier)\(begin)>"
    }
}

/// Asks for a short launch, shortly before the app is likely to be used, to fetch what is new.
///
/// An app may have one pending.
///
/// Apple: BackgroundTasks, `BGAppRefreshTaskRequest`.
open class BGAppRefreshTaskRequest: BGTaskRequest {
    /// Makes a request without an earliest begin date.
    public init(identifier: String) {
        super.init(taskIdentifier: identifier)
    }
}

/// Asks for a long launch, in a lull of the host, for work that may wait.
///
/// An app may have ten pending.
///
/// Apple: BackgroundTasks, `BGProcessingTaskRequest`.
open class BGProcessingTaskRequest: BGTaskRequest {
    /// Whether to wait for a network; false unless set. The requirements in `jobs.yaml` count as well.
    public var requiresNetworkConnectivity = false

    /// Whether to wait for external power; false unless set. The requirements in `jobs.yaml` count as well.
    public var requiresExternalPower = false

    /// Makes a request that requires nothing.
    public init(identifier: String) {
        super.init(taskIdentifier: identifier)
    }
}

/// Asks for a processing launch for a health research study; it is launched as a ``BGHealthResearchTask``.
///
/// Lull knows no such entitlement and treats it as a processing request.
///
/// Apple: BackgroundTasks, `BGHealthResearchTaskRequest`.
open class BGHealthResearchTaskRequest: BGProcessingTaskRequest {
    /// The protection of the data that the run needs, as `FileProtectionType` names it. Linux has no such protection:
    /// the value is passed on and blocks nothing.
    public var protectionTypeOfRequiredData =
        NSString(string: FileProtectionType.completeUntilFirstUserAuthentication.rawValue)
}
