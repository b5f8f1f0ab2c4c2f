extension BGTask {
    /// The events that this run was launched for, and which attempt it is, as JSON; nil: neither, or the host is older than
    /// Lull's ABI 1.2.
    ///
    /// Lull's own: the manifest's `on` launches a task when a file comes, another task ends or a device is plugged in.
    /// `{"on":["path"],"count":2,"first":1795420800000,"last":1795420801000,"paths":["/srv/in/a.csv"]}`; of a chain also
    /// `task`, `run` and `outcome`; `device`; `user`; with `retry: { attempts }` also `attempt` and `attempts`. Only the first
    /// files are named: look at the folder for all of them.
    public var launchEvents: String? { run.launch.origin }
}
