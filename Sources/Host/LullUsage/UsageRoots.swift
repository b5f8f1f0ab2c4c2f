/// Where this host has its login records and `journalctl`.
public struct UsageRoots: Sendable, Equatable {
    public var logins: String
    /// A path, or a name that is looked up in `PATH`.
    public var journalctl: String

    public init(logins: String = "/var/log/wtmp", journalctl: String = "journalctl") {
        self.logins = logins
        self.journalctl = journalctl
    }
}
