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
        let ownerName = name(of: owner)
        guard let entry = getgrgid(group) else { return group == owner ? nil : "\(group)" }
        let groupName = String(cString: entry.pointee.gr_name)
        var members: [String] = []
        var next = entry.pointee.gr_mem
        while let place = next, let member = place.pointee {
            members.append(String(cString: member))
            next = place + 1
        }
        // A group of the owner's name is the owner's alone, as long as nobody was put into it.
        let isOwn = groupName == ownerName && getpwuid(owner)?.pointee.pw_gid == group
        return isOwn && members.allSatisfy { $0 == ownerName } ? nil : groupName
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
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
