/// The times of `at` that a request or an event is about, or the due time of `repeat` that it does not change.
public struct Occurrence: Sendable, Hashable, Codable {
    /// The time itself, without the shift of `spread`; of several times the last.
    public var time: WallTime?
    /// How many times it covers; counting stops at a limit.
    public var times: Int
    /// `@reboot`: the boot that it is for; each other boot is an occurrence of its own.
    public var boot: String?
    /// Of a task with `repeat`: in an operator's request, when `repeat` is due besides it; in a request made by `repeat`, the
    /// time from which it is counted.
    public var `repeat`: WallTime?

    /// Nil when all parts are absent.
    public init?(
        time: WallTime? = nil, times: Int = 1, boot: String? = nil, repeat: WallTime? = nil
    ) {
        if time == nil, boot == nil, `repeat` == nil { return nil }
        self.time = time
        self.times = times
        self.boot = boot
        self.repeat = `repeat`
    }

    private enum CodingKeys: String, CodingKey { case time, times, boot, `repeat` }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        time = try container.decodeIfPresent(WallTime.self, forKey: .time)
        times = max(1, try container.decodeIfPresent(Int.self, forKey: .times) ?? 1)
        boot = try container.decodeIfPresent(String.self, forKey: .boot)
        `repeat` = try container.decodeIfPresent(WallTime.self, forKey: .repeat)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(time, forKey: .time)
        if times != 1 { try container.encode(times, forKey: .times) }
        try container.encodeIfPresent(boot, forKey: .boot)
        try container.encodeIfPresent(`repeat`, forKey: .repeat)
    }
}
