import Synchronization

/// A background task of the app: as long as one is open, the app is not suspended between its runs.
///
/// The host calls the expiration handler when the app's time is nearly up. Each activity is kept from its begin to
/// its end, so that the host may hand it back at any time in between.
final class Activity: Sendable {
    private struct Open: Sendable {
        var activities: [UInt64: Activity] = [:]
        /// Numbers of our own, for a process that is no worker, or one that offers no activities.
        var next: UInt64 = 1 << 40
    }
    private static let open = Mutex(Open())

    private let handler: @Sendable () -> Void

    private init(handler: @escaping @Sendable () -> Void) {
        self.handler = handler
    }

    /// Begins an activity; 0 when the app has no time or too many of them. The handler is called on a thread that
    /// it must not block.
    static func begin(
        _ name: String, host: HostTable?, handler: @escaping @Sendable () -> Void
    ) -> UInt64 {
        let activity = Activity(handler: handler)
        // Kept before it begins: the host may call back at once.
        let kept = Unmanaged.passRetained(activity)
        let number =
            host?.begin(activity, name: name)
            ?? open.withLock { open in
                open.next += 1
                return open.next
            }
        if number != 0 { open.withLock { $0.activities[number] = activity } }
        kept.release()
        return number
    }

    /// Ends an activity. The host is told of a number that is not open as well, and records it.
    static func end(_ number: UInt64, host: HostTable?) {
        host?.endActivity(number)
        open.withLock { _ = $0.activities.removeValue(forKey: number) }
    }

    func expire() { handler() }
}
