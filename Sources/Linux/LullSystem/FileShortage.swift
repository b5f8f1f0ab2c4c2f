/// What inotify has too little of for all that is watched; see `FileEvents`.
public enum FileShortage: Sendable, Equatable {
    case instances, watches

    /// The kernel's setting that limits them, for each user.
    public var setting: String {
        "fs.inotify.\(self == .instances ? "max_user_instances" : "max_user_watches")"
    }

    /// A sentence with its remedy.
    public func sentence(interval: Duration) -> String {
        "Files can't be watched, for the kernel has no inotify \(self == .instances ? "instance" : "watch") left: they "
            + "are looked at every \(interval.components.seconds) s instead, and accesses (`usage: access`) are not seen. "
            + "Raise it with `sysctl \(setting)=N`, or end what has them all."
    }
}
