import Glibc
import LullCommands

/// A group of this machine, by its name.
struct GroupArgument {
    let number: gid_t

    /// As `TimeArgument.told`.
    static func told(_ name: String) throws -> GroupArgument {
        guard let group = getgrnam(name) else {
            throw Failure(
                "There is no group '\(name)' here. `getent group` lists them; `groupadd` makes one.")
        }
        return GroupArgument(number: group.pointee.gr_gid)
    }
}
