/// Of what inotify has too little for all that is watched; see `FileEvents`.
public enum FileShortage: Sendable, Equatable {
    case instances, watches

    /// A sentence with its remedy.
    public func sentence(interval: Duration) -> String {
        let setting = self == .instances ? "max_user_instances" : "max_user_watches"
        return
            "Files can't be watched, for the kernel has no inotify \(self == .instances ? "instance" : "watch") left: they "
            + "are looked at every \(interval.components.seconds) s instead, and accesses (`usage: access`) are not seen. "
            + "Raise it with `sysctl fs.inotify.\(setting)=N`, or end what has them all."
    }
}
