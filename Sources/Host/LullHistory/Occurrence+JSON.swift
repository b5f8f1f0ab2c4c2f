import LullModel

extension Occurrence {
    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["time"] = time.map { .string($0.rfc3339) }
        members["times"] = times == 1 ? nil : .integer(Int64(times))
        members["boot"] = boot.map { .string($0) }
        members["repeat"] = `repeat`.map { .string($0.rfc3339) }
        return .object(members)
    }

    /// Nil if a value is not of its key's type; unknown keys are ignored.
    init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        var time: WallTime?
        var times = 1
        var boot: String?
        var `repeat`: WallTime?
        for (key, value) in members {
            switch (key, value) {
            case ("time", .string(let text)):
                guard let read = WallTime(rfc3339: text) else { return nil }
                time = read
            case ("times", .integer(let count)):
                guard let count = Int(exactly: count), count > 0 else { return nil }
                times = count
            case ("boot", .string(let text)): boot = text
            case ("repeat", .string(let text)):
                guard let read = WallTime(rfc3339: text) else { return nil }
                `repeat` = read
            case ("time", _), ("times", _), ("boot", _), ("repeat", _): return nil
            default: break
            }
        }
        self.init(time: time, times: times, boot: boot, repeat: `repeat`)
    }
}
