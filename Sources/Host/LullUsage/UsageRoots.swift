/// Where this host keeps its logins and its journal's reader.
public struct UsageRoots: Sendable, Equatable {
    public var logins: String
    /// A path, or a name that is looked up in `PATH`.
    public var journalctl: String

    public init(logins: String = "/var/log/wtmp", journalctl: String = "journalctl") {
        self.logins = logins
        self.journalctl = journalctl
    }
}
