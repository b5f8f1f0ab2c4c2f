internal import CLullShims
internal import Glibc

/// A user or group that could exchange a file or a folder, and is neither root nor the user of this process.
///
/// The model is ssh's `StrictModes`. A group that may write counts as its file's owner if it has no other members, as
/// with the umask 002 of many distributions; and as nobody if it is a system group without members.
public enum Stranger: Sendable, Hashable {
    case everybody
    case group(String)
    case owner(String)
    /// A user or group in an access list (ACL).
    case listed

    /// Nil if no stranger could. `descriptor`: of the same file, to look for an access list: with one, the mode's group bits are
    /// the list's mask.
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

    /// The file's owner, whatever other users may write it.
    init?(ownerOf status: stat, user: uid_t) {
        guard status.st_uid != 0, status.st_uid != user else { return nil }
        self = .owner(Self.name(of: status.st_uid))
    }

    /// The group's name; nil if nobody but the owner and root can be in it.
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

    /// Lower numbers are groups that the system itself makes: no directory of people has those.
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

    /// The mode to give `chmod` for the path; nil if the owner is the problem.
    var mode: String? {
        switch self {
        case .everybody: "o-w"
        case .group, .listed: "g-w"
        case .owner: nil
        }
    }
}
