import LullModel

/// The activities that keep an app awake between its runs, by number and name; `Worker` limits their time.
extension WorkerSession {
    /// "the activity 'save'" or "the activities 'save' (3 times), 'send'": the oldest first, and each name once.
    public var activityNames: String {
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

    mutating func beginActivity(_ activity: UInt64, _ name: String) -> [SessionDeed] {
        if isEnding { return [] }
        guard activities.count < Limits.activities, activities[activity] == nil else {
            return violate(nil, "It began the activity '\(name)', which it may not.", isFatal: true)
        }
        activities[activity] = name
        return [.watchActivities]
    }

    mutating func endActivity(_ activity: UInt64) -> [SessionDeed] {
        if isEnding { return [] }
        guard activities.removeValue(forKey: activity) != nil else {
            return violate(nil, "It ended activity \(activity), which is not open.", isFatal: true)
        }
        return activities.isEmpty ? [.forgetActivities] : []
    }
}
