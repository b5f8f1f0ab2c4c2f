/// What inotify has too little of for all that is watched; see `FileEvents`.
public enum FileShortage: Sendable, Equatable {
    case instances, watches

    /// The kernel's setting that limits them, for each user.
    public var setting: String {
        "fs.inotify.\(self == .instances ? "max_user_instances" : "max_user_watches")"
    }

    /// A sentence with its remedy.
    public func sentence(interval: Duration) -> String {
        "Files can't be watched, because the kernel has no inotify \(self == .instances ? "instance" : "watch") left: Lull "
            + "looks at them every \(interval.components.seconds) s instead, and does not see accesses (`usage: access`). "
            + "Raise the limit with `sysctl \(setting)=N`, or end the program that uses them all."
    }
}
