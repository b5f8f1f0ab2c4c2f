public import LullModel

extension NotificationAct {
    /// The form in JSON Lines and in the table.
    public var json: JSONValue {
        switch self {
        case .added(let notification): ["added": notification.json]
        case .delivered(let identifier, let due):
            ["delivered": .string(identifier), "due": .string(due.rfc3339)]
        case .removed(let identifier): ["removed": .string(identifier)]
        case .recounted(let identifier): ["recounted": .string(identifier)]
        case .cleared(let identifier): ["cleared": .string(identifier)]
        case .badge(let count): ["badge": .integer(count)]
        }
    }

    /// Nil if it is none of these acts; unknown keys are ignored.
    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        if let added = members["added"] {
            guard let notification = AppNotification(json: added) else { return nil }
            self = .added(notification)
        } else if let identifier = members["delivered"]?.string {
            guard let due = members["due"]?.string.flatMap({ WallTime(rfc3339: $0) }) else { return nil }
            self = .delivered(identifier: identifier, due: due)
        } else if let identifier = members["removed"]?.string {
            self = .removed(identifier: identifier)
        } else if let identifier = members["recounted"]?.string {
            self = .recounted(identifier: identifier)
        } else if let identifier = members["cleared"]?.string {
            self = .cleared(identifier: identifier)
        } else if case .integer(let count)? = members["badge"] {
            self = .badge(count)
        } else {
            return nil
        }
    }
}

extension NoticeText {
    /// Empty texts are left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = [:]
        for (key, text) in [("title", title), ("subtitle", subtitle), ("body", body)] where !text.isEmpty {
            members[key] = .string(text)
        }
        if level != .active { members["level"] = .integer(Int64(level.rawValue)) }
        return .object(members)
    }

    /// Nil if a text is not a string; unknown keys are ignored.
    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        var texts: [String: String] = [:]
        for key in ["title", "subtitle", "body"] {
            guard let value = members[key] else { continue }
            guard let text = value.string else { return nil }
            texts[key] = text
        }
        self.init(
            title: texts["title"] ?? "", subtitle: texts["subtitle"] ?? "", body: texts["body"] ?? "")
        if case .integer(let number)? = members["level"] {
            level = UInt8(exactly: number).flatMap(Level.init(rawValue:)) ?? .active
        }
    }
}

extension AppNotification {
    public var json: JSONValue {
        guard case .object(var members) = text.json else { return .null }
        members["id"] = .string(identifier)
        members["badge"] = badge.map { .integer($0) }
        if !details.isEmpty { members["details"] = .string(details) }
        switch trigger {
        case .interval(let milliseconds, let repeats)?:
            members["after_ms"] = .integer(milliseconds)
            if repeats { members["repeats"] = true }
        case .calendar(let fields, let repeats)?:
            members["at"] = fields.json
            if repeats { members["repeats"] = true }
        case nil: break
        }
        return .object(members)
    }

    /// Nil if a required member is missing or of another type; unknown keys are ignored.
    public init?(json: JSONValue) {
        guard case .object(let members) = json, let identifier = members["id"]?.string,
            let text = NoticeText(json: json)
        else { return nil }
        self.init(identifier: identifier, text: text, details: members["details"]?.string ?? "")
        if case .integer(let count)? = members["badge"] { badge = count }
        let repeats = members["repeats"] == true
        if case .integer(let milliseconds)? = members["after_ms"] {
            guard milliseconds > 0 else { return nil }
            trigger = .interval(milliseconds: milliseconds, repeats: repeats)
        } else if let at = members["at"] {
            guard let fields = CalendarFields(json: at) else { return nil }
            trigger = .calendar(fields, repeats: repeats)
        }
    }
}

extension CalendarFields {
    public var json: JSONValue {
        var members: [String: JSONValue] = [:]
        for (key, value) in named { members[key] = value.map { .integer(Int64($0)) } }
        return .object(members)
    }

    private var named: [(String, Int?)] {
        [
            ("year", year), ("month", month), ("day", day), ("weekday", weekday), ("hour", hour),
            ("minute", minute), ("second", second),
        ]
    }

    /// Nil if the fields are not valid (`isValid`); unknown keys are ignored.
    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        func number(_ key: String) -> Int? {
            if case .integer(let value)? = members[key] { Int(exactly: value) } else { nil }
        }
        self.init(
            year: number("year"), month: number("month"), day: number("day"), weekday: number("weekday"),
            hour: number("hour"), minute: number("minute"), second: number("second"))
        guard isValid else { return nil }
    }
}
