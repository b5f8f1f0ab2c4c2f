/// The status of a file where cron looks for crontabs, as far as cron checks it before it reads the file.
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
    /// The file, with links followed; nil: a link leads nowhere.
    public var file: File?
    /// The owner of the link; nil: it is no link.
    public var linkOwner: UInt32?
    /// The user that counts as root: root, or for a copied folder its owner.
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
