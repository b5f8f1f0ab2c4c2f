/// A file where cron looks for crontabs, as far as cron asks about it before it reads it.
public struct CrontabStatus: Sendable, Equatable {
    public enum Place: Sendable, Equatable {
        /// `/etc/crontab`.
        case systemCrontab
        /// A file of `/etc/cron.d`.
        case systemFolder
        /// A user's, in the spool; nil: no account has the file's name.
        case spool(account: UInt32?)
    }

    public var place: Place
    /// Of what a link leads to; nil: it leads nowhere.
    public var file: File?
    /// Who owns the link; nil: it is none.
    public var linkOwner: UInt32?
    /// Who counts as root: root, and of a copied folder its owner.
    public var administrator: UInt32

    public struct File: Sendable, Equatable {
        public var isRegular: Bool
        public var owner: UInt32
        /// The permission bits.
        public var mode: UInt32
        public var links: UInt64

        public init(isRegular: Bool, owner: UInt32, mode: UInt32, links: UInt64) {
            self.isRegular = isRegular
            self.owner = owner
            self.mode = mode
            self.links = links
        }
    }

    public init(place: Place, file: File?, linkOwner: UInt32? = nil, administrator: UInt32 = 0) {
        self.place = place
        self.file = file
        self.linkOwner = linkOwner
        self.administrator = administrator
    }

    var isSpool: Bool {
        if case .spool = place { true } else { false }
    }
}
