import FoundationNetworking

/// The configuration of a background session, with the settings that FoundationNetworking's lacks.
///
/// A session copies its configuration, so the copy keeps these settings.
// Sendable: as its superclass, which leaves it to the author not to change one that several threads use.
final class BackgroundConfiguration: FoundationNetworking.URLSessionConfiguration, Makeable,
    @unchecked Sendable
{
    var extras = Extras()

    struct Extras {
        var sendsLaunchEvents = true
        var allowsExpensiveAccess = true
        var allowsConstrainedAccess = true
        var container: String?
    }

    /// FoundationNetworking warns of an initializer that other systems have; here it does what `default` does.
    @available(*, deprecated)
    override init() { super.init() }

    static func make(identifier: String) -> BackgroundConfiguration {
        let configuration = made()
        configuration.identifier = identifier
        // The system's process knows no cookies, no stored credentials and no cache of the app's.
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return configuration
    }

    override func copy(with zone: NSZone?) -> Any {
        let copy = Self.made()
        copy.identifier = identifier
        copy.requestCachePolicy = requestCachePolicy
        copy.timeoutIntervalForRequest = timeoutIntervalForRequest
        copy.timeoutIntervalForResource = timeoutIntervalForResource
        copy.networkServiceType = networkServiceType
        copy.allowsCellularAccess = allowsCellularAccess
        copy.isDiscretionary = isDiscretionary
        copy.connectionProxyDictionary = connectionProxyDictionary
        copy.httpShouldSetCookies = httpShouldSetCookies
        copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
        copy.httpAdditionalHeaders = httpAdditionalHeaders
        copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        copy.httpCookieStorage = httpCookieStorage
        copy.urlCredentialStorage = urlCredentialStorage
        copy.urlCache = urlCache
        copy.protocolClasses = protocolClasses
        copy.extras = extras
        return copy
    }
}

/// Calls `init()` through a requirement, where the compiler does not warn that the initializer is deprecated.
protocol Makeable { init() }

extension Makeable {
    static func made() -> Self { self.init() }
}
