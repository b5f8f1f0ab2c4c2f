/// The defaults with which tasks run as they did before: at their times, with all rights, and for up to a day.
enum ImportedDefaults {
    /// cron starts a job at its minute whatever else is going on, and never for a minute that has passed.
    static let cron: [(key: String, value: YAMLText)] = common + [("missed", .word("skip"))]

    /// Nobody uses such an app, and its tasks do not wait for a quiet host. No `retry`: no failure holds back a task
    /// that runs at its times, and a task that a person gives a `repeat` is to have Lull's own.
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
