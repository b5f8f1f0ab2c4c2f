import Foundation

/// Time to finish what the app has begun, after its runs are over and before it is suspended.
///
/// All of an app's background tasks share one span of time, 30 seconds from the end of its last run; each
/// `beginBackgroundTask` needs an `endBackgroundTask`, also after its expiration handler was called. The app is
/// suspended when the last one has ended. One that is never ended ends the worker, and the history names it: give
/// it a name.
extension UIApplication {
    /// Keeps the app from being suspended until `endBackgroundTask(_:)`.
    ///
    /// Apple: UIKit, `UIApplication.beginBackgroundTask(withName:expirationHandler:)`.
    /// - Parameters:
    ///   - taskName: Its name in history and log; the place in the source when it is nil.
    ///   - handler: Called on the main actor shortly before the time is up. It has to end the task, within a second
    ///     or so.
    ///   - file: Where it is begun; leave it out.
    ///   - line: As `file`.
    /// - Returns: Its number, or `.invalid` when there is no time or there are a thousand of them.
    @discardableResult
    nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> UIBackgroundTaskIdentifier {
        let name =
            taskName ?? place(file, line).map { "beginBackgroundTask at \($0)" } ?? "beginBackgroundTask"
        let registry = BGTaskScheduler.shared.registry
        let number = registry.activities.begin(name, in: registry) {
            guard let handler else { return }
            Task { @MainActor in handler() }
        }
        return UIBackgroundTaskIdentifier(rawValue: Int(truncatingIfNeeded: number))
    }

    /// As ``beginBackgroundTask(withName:expirationHandler:file:line:)``, named by its place in the source.
    ///
    /// Apple: UIKit, `UIApplication.beginBackgroundTask(expirationHandler:)`.
    @discardableResult
    nonisolated public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler, file: file, line: line)
    }

    /// Apple's exact signature, for protocols of the app's own that it conforms to.
    @_disfavoredOverload @discardableResult
    nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: taskName, expirationHandler: handler, file: "", line: 0)
    }

    /// Apple's exact signature, for protocols of the app's own that it conforms to.
    @_disfavoredOverload @discardableResult
    nonisolated public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler, file: "", line: 0)
    }

    /// Ends a background task. `.invalid` is ignored; one that is not open is recorded as a violation.
    ///
    /// Apple: UIKit, `UIApplication.endBackgroundTask(_:)`.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        guard identifier != .invalid else { return }
        let registry = BGTaskScheduler.shared.registry
        registry.activities.end(UInt64(truncatingIfNeeded: identifier.rawValue), in: registry)
    }

    /// Seconds until the app's background tasks expire, all together; `.greatestFiniteMagnitude` while the app
    /// launches or a run is under way, because no time is counted then.
    ///
    /// Apple: UIKit, `UIApplication.backgroundTimeRemaining`.
    nonisolated public var backgroundTimeRemaining: TimeInterval {
        BGTaskScheduler.shared.registry.host?.backgroundTimeRemaining.map { max(Double($0) / 1e9, 0) }
            ?? .greatestFiniteMagnitude
    }
}
