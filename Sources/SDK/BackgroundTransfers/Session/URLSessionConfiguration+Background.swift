import Foundation
import FoundationNetworking

/// The properties of Apple's configuration that FoundationNetworking's lacks, or can't set. They have no effect on a
/// configuration for other sessions than background sessions.
extension FoundationNetworking.URLSessionConfiguration {
    /// A session whose transfers go on without the app. A session that is made anew under this identifier finds them again.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.background(withIdentifier:)`.
    /// - Parameter identifier: At most 255 bytes.
    public class func background(
        withIdentifier identifier: String
    ) -> FoundationNetworking.URLSessionConfiguration {
        BackgroundConfiguration.make(identifier: identifier)
    }

    private var ownExtras: BackgroundConfiguration.Extras {
        get { (self as? BackgroundConfiguration)?.extras ?? BackgroundConfiguration.Extras() }
        set { (self as? BackgroundConfiguration)?.extras = newValue }
    }

    /// Whether the app is launched when all transfers of the session have ended.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.sessionSendsLaunchEvents`.
    public var sessionSendsLaunchEvents: Bool {
        get { ownExtras.sendsLaunchEvents }
        set { ownExtras.sendsLaunchEvents = newValue }
    }

    /// False: only over a network that is not metered.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.allowsExpensiveNetworkAccess`.
    public var allowsExpensiveNetworkAccess: Bool {
        get { ownExtras.allowsExpensiveAccess }
        set { ownExtras.allowsExpensiveAccess = newValue }
    }

    /// False: not while the machine saves power.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.allowsConstrainedNetworkAccess`.
    public var allowsConstrainedNetworkAccess: Bool {
        get { ownExtras.allowsConstrainedAccess }
        set { ownExtras.allowsConstrainedAccess = newValue }
    }

    /// Stored without effect: what is downloaded is the app's own, and any of its processes may make the session anew.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.sharedContainerIdentifier`.
    public var sharedContainerIdentifier: String? {
        get { ownExtras.container }
        set { ownExtras.container = newValue }
    }

    /// A background session always waits for the network, on Apple's systems as well; any other never does here.
    ///
    /// Apple: Foundation, `URLSessionConfiguration.waitsForConnectivity`.
    public var waitsForConnectivity: Bool {
        get { self is BackgroundConfiguration }
        set {}
    }
}
