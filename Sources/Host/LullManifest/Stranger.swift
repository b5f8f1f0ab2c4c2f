internal import CLullShims
internal import Glibc

/// Who could exchange a file or a folder, and is neither root nor the user of this process.
///
/// The model is ssh's `StrictModes`. A group that may write counts as its file's owner where nobody else is in it, as
/// with the umask 002 of many distributions; and as nobody where nobody is in it.
public enum Stranger: Sendable, Hashable {
    case everybody
    case group(String)
    case owner(String)
    /// Whom an access list (ACL) names.
    case listed

    /// Nil: nobody could. `descriptor`: of the same, for its access list; that is the group's bits of its mode then.
    init?(_ status: stat, _ descriptor: Int32 = -1, user: uid_t = geteuid()) {
        let isOpenToGroup = status.st_mode & S_IWGRP != 0
        if status.st_mode & S_IWOTH != 0 {
            self = .everybody
        } else if isOpenToGroup, let name = Self.strangers(status.st_gid, status.st_uid) {
            self = .group(name)
        } else if isOpenToGroup, descriptor >= 0, lull_has_access_list(descriptor) != 0 {
            self = .listed
        } else {
            self.init(ownerOf: status, user: user)
        }
    }

    /// Its owner, whoever else may write it.
    init?(ownerOf status: stat, user: uid_t) {
        guard status.st_uid != 0, status.st_uid != user else { return nil }
        self = .owner(Self.name(of: status.st_uid))
    }

    /// The group's name, where anybody but the owner and root may be in it.
    private static func strangers(_ group: gid_t, _ owner: uid_t) -> String? {
        if group == 0 { return nil }
        let user = Accounts.user(owner)
        guard let entry = Accounts.group(group) else { return group == owner ? nil : "\(group)" }
        // A group of the owner's name is the owner's alone, as long as nobody was put into it.
        let isOwn = entry.name == user?.name && user?.group == group
        if isOwn, entry.members.allSatisfy({ $0 == user?.name }) { return nil }
        // Debian gives /usr/local to such a group, "staff", and puts nobody into it.
        let isNobodys = group < Self.firstOfPeople && entry.members.isEmpty && !Accounts.isFirst(group)
        return isNobodys ? nil : entry.name
    }

    /// Below are groups that the system itself makes: no directory of people has such a one.
    private static let firstOfPeople: gid_t = 100

    static func name(of user: uid_t) -> String {
        Accounts.user(user)?.name ?? "\(user)"
    }

    /// As the subject of a sentence.
    var who: String {
        switch self {
        case .everybody: "every user of this machine"
        case .group(let name): "the group \(quoted(name))"
        case .owner(let name): quoted(name)
        case .listed: "anybody on its access list (ACL)"
        }
    }

    /// What `chmod` is to be told of the path; nil: it is a matter of whose it is.
    var mode: String? {
        switch self {
        case .everybody: "o-w"
        case .group, .listed: "g-w"
        case .owner: nil
        }
    }
}
