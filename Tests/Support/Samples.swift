public import LullModel

/// Identifiers and times as tests write them.
public struct NoIdentifier: Error { let text: String }

extension TaskIdentifier {
    public static func of(_ text: String) throws -> Self {
        guard let task = Self(text) else { throw NoIdentifier(text: text) }
        return task
    }
}

extension AppIdentifier {
    public static func of(_ text: String) throws -> Self {
        guard let app = Self(text) else { throw NoIdentifier(text: text) }
        return app
    }
}

/// 2026-11-21, a Saturday, at this time of day.
public func at(_ hour: Int, _ minute: Int = 0, day: Int = 21) -> WallTime {
    let days = LocalTime.days(year: 2026, month: 11, day: day)
    return WallTime(seconds: Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60))
}
