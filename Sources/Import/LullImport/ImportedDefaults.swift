/// What a manifest begins with so that its tasks run as they did: when they say, with all rights, for as long as they take.
enum ImportedDefaults {
    /// cron starts a job at its minute whatever else is going on, and never for a minute that has passed.
    static let cron: [(key: String, value: YAMLText)] = common + [("missed", .word("skip"))]

    /// Nobody uses what ran from cron or a timer, and it waits for no lull. No `retry`: what runs at its times is held back
    /// by no failure, and what somebody adds with a `repeat` is to have Lull's own.
    static let common: [(key: String, value: YAMLText)] = [
        ("idle_after", .word("never")),
        // A thousand may run at once, each of several processes.
        (
            "limits",
            .mapping([("write", .word("all")), ("privileges", .word("keep")), ("processes", .word("20000"))])
        ),
        ("requires", .mapping([("idle", .word("false"))])),
        ("time_limit", .word("1d")),
        ("concurrency", .mapping([("host", .word("1000")), ("app", .word("1000"))])),
    ]
}
