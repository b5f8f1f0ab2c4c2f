import LullModel
import LullSystem
import LullWire

/// Activities, which keep an app awake between its runs: they share one span of time.
///
/// The clock belongs to the app: it starts when nothing else keeps it awake. The app is warned shortly before the end,
/// and is killed if an activity is open by then, as on iOS.
extension Worker {
    /// The last activity has ended.
    func forgetActivities() {
        deadlines[.expireActivities] = nil
        deadlines[.endActivities] = nil
        if deadlines.removeValue(forKey: .evict) != nil { return evict() }
        // The activities that its suspension waited for are over.
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

    /// Lets an app that is to end finish its activities. Returns whether there are any.
    func waitsForActivities() -> Bool {
        guard session.isReady, !session.activities.isEmpty, !isStopped, deadlines[.evict] == nil else {
            return false
        }
        // Its time is up by then, one way or the other.
        setDeadline(.evict, after: pool.activityTime + pool.activityWarning)
        return true
    }
}
