import LullModel
import LullSystem
import LullWire

/// What keeps an app awake between its runs: as many activities as it likes, and one span of time for all.
///
/// The clock belongs to the app: it starts when nothing else keeps it awake, is told of shortly before it ends,
/// and whoever has not ended their activities by then costs the app its process, as on iOS.
extension Worker {
    /// The last of them has ended.
    func forgetActivities() {
        deadlines[.expireActivities] = nil
        deadlines[.endActivities] = nil
        if deadlines.removeValue(forKey: .evict) != nil { return evict() }
        // What it waited for is over.
        if wantsSuspension { setDeadline(.suspend, after: .zero) }
    }

    /// Nothing but its activities keeps it awake from now on.
    func rest() {
        restsSince = Clock.monotonic
        hasExpiredActivities = false
        watchActivities()
    }

    func stopResting() {
        restsSince = nil
        deadlines[.expireActivities] = nil
        deadlines[.endActivities] = nil
    }

    func watchActivities() {
        guard let restsSince, !session.activities.isEmpty, !hasExpiredActivities else { return }
        deadlines[.expireActivities] = restsSince + pool.activityTime - pool.activityWarning
        pool.armTimer()
    }

    func expireActivities() {
        guard !session.activities.isEmpty, !session.isEnding else { return }
        hasExpiredActivities = true
        send(.expireActivities)
        setDeadline(.endActivities, after: pool.activityWarning)
    }

    func endActivities() {
        guard !session.activities.isEmpty, !session.isEnding else { return }
        violate(
            "It did not end \(session.activityNames) within the \(Phrase.span(pool.activityTime)) that the app has. "
                + "End each activity, also in its expiration handler.")
    }

    /// An app that is to end is let finish what it has begun; whether there is anything.
    func waitsForActivities() -> Bool {
        guard session.isReady, !session.activities.isEmpty, !isStopped, deadlines[.evict] == nil else {
            return false
        }
        // Its time is up by then, one way or the other.
        setDeadline(.evict, after: pool.activityTime + pool.activityWarning)
        return true
    }
}
