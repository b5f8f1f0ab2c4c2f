internal import Glibc

/// Who could exchange a file or a folder, and is neither root nor the user of this process.
///
/// The model is ssh's `StrictModes`. A group that may write counts as its file's owner where nobody else is in it, as
/// with the umask 002 of many distributions.
public enum Stranger: Sendable, Hashable {
    case everybody
    case group(String)
    case owner(String)

    /// Nil: nobody could.
    init?(_ status: stat, user: uid_t = geteuid()) {
        if status.st_mode & S_IWOTH != 0 {
            self = .everybody
        } else if status.st_mode & S_IWGRP != 0, let name = Self.strangers(status.st_gid, status.st_uid) {
            self = .group(name)
        } else if status.st_uid != 0, status.st_uid != user {
            self = .owner(Self.name(of: status.st_uid))
        } else {
            return nil
        }
    }

    /// The group's name, where anybody but the owner and root may be in it.
    private static func strangers(_ group: gid_t, _ owner: uid_t) -> String? {
        if group == 0 { return nil }
        let user = Accounts.user(owner)
        guard let entry = Accounts.group(group) else { return group == owner ? nil : "\(group)" }
        // A group of the owner's name is the owner's alone, as long as nobody was put into it.
        let isOwn = entry.name == user?.name && user?.group == group
        return isOwn && entry.members.allSatisfy { $0 == user?.name } ? nil : entry.name
    }

    private static func name(of user: uid_t) -> String {
        Accounts.user(user)?.name ?? "\(user)"
    }

    /// What `chmod` is to be told of the path; nil: it is a matter of whose it is.
    var mode: String? {
        switch self {
        case .everybody: "o-w"
        case .group: "g-w"
        case .owner: nil
        }
    }
}
