import LullLoop
import LullModel
import LullWire

/// What keeps an app awake between its runs: as many activities as it likes, and one span of time for all.
///
/// The clock belongs to the app: it starts when nothing else keeps it awake, is told of shortly before it ends,
/// and whoever has not ended their activities by then costs the app its process, as on iOS.
extension Worker {
    /// "the activity 'save'" or "the activities 'save' (3 times), 'send'": the oldest first, and each name once.
    var activityNames: String {
        var names: [String] = []
        var counts: [String: Int] = [:]
        for (_, name) in activities.sorted(by: { $0.key < $1.key }) {
            if counts[name, default: 0] == 0 { names.append(name) }
            counts[name, default: 0] += 1
        }
        let shown = names.prefix(8).map { name in
            let count = counts[name] ?? 1
            return "'\(name)'" + (count == 1 ? "" : " (\(count) times)")
        }
        let rest = names.dropFirst(8).reduce(0) { $0 + (counts[$1] ?? 1) }
        return (activities.count == 1 ? "the activity " : "the activities ")
            + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    func beginActivity(_ activity: UInt64, _ name: String) {
        if isEnding { return }
        guard activities.count < Limits.activities, activities[activity] == nil else {
            return violate(nil, "It began the activity '\(name)', which it may not.", isFatal: true)
        }
        activities[activity] = name
        watchActivities()
    }

    func endActivity(_ activity: UInt64) {
        if isEnding { return }
        guard activities.removeValue(forKey: activity) != nil else {
            return violate(nil, "It ended activity \(activity), which is not open.", isFatal: true)
        }
        guard activities.isEmpty else { return }
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

    private func watchActivities() {
        guard let restsSince, !activities.isEmpty, !hasExpiredActivities else { return }
        deadlines[.expireActivities] = restsSince + pool.activityTime - pool.activityWarning
        pool.armTimer()
    }

    func expireActivities() {
        guard !activities.isEmpty, !isEnding else { return }
        hasExpiredActivities = true
        send(.expireActivities)
        setDeadline(.endActivities, after: pool.activityWarning)
    }

    func endActivities() {
        guard !activities.isEmpty, !isEnding else { return }
        let milliseconds = pool.activityTime.milliseconds
        let time = milliseconds < 1000 ? "\(milliseconds) ms" : "\(milliseconds / 1000) s"
        violate(
            nil,
            "It did not end \(activityNames) within the \(time) that the app has. "
                + "End each activity, also in its expiration handler.", isFatal: true)
    }

    /// An app that is to end is let finish what it has begun; whether there is anything.
    func waitsForActivities() -> Bool {
        guard isReady, !activities.isEmpty, !isStopped, deadlines[.evict] == nil else { return false }
        // Its time is up by then, one way or the other.
        setDeadline(.evict, after: pool.activityTime + pool.activityWarning)
        return true
    }
}
