/// Which of the times of `at` a request or an event is about, or which of `repeat` it leaves as it is.
public struct Occurrence: Sendable, Hashable, Codable {
    /// The time itself, without the spread's shift; of several the last.
    public var time: WallTime?
    /// How many times it stands for; where they were not counted to the end, the most that are.
    public var times: Int
    /// `@reboot`: the boot of the host that has been seen to; another one is an occurrence of its own.
    public var boot: String?
    /// Of a task with `repeat`: when that is due beside what an operator asks for; of a request that `repeat` made, the
    /// time that it is counted from.
    public var `repeat`: WallTime?

    /// Nil when it is about none.
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
