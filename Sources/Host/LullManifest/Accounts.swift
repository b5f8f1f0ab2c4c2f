private import Glibc

/// This machine's users and groups, from all sources of NSS: files, LDAP and others.
///
/// Callable from any thread. A name service that does not answer blocks the caller without a limit.
public enum Accounts {
    public struct User: Sendable, Equatable {
        public var name: String
        public var number: UInt32
        /// The number of the user's primary group.
        public var group: UInt32

        public init(name: String, number: UInt32, group: UInt32) {
            self.name = name
            self.number = number
            self.group = group
        }
    }

    struct Group: Equatable {
        var name: String
        var members: [String]
    }

    /// The largest buffer for an entry, far longer than any entry.
    private static let longest = 16 << 20

    public static func user(named name: String) -> User? {
        find(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, read: user)
    }

    public static func user(_ number: UInt32) -> User? {
        find(passwd(), { getpwuid_r(number, $0, $1, $2, $3) }, read: user)
    }

    static func group(_ number: UInt32) -> Group? {
        find(
            LibraryGroup(), { getgrgid_r(number, $0, $1, $2, $3) },
            read: { entry in
                var members: [String] = []
                var next = entry.gr_mem
                while let place = next, let member = place.pointee {
                    members.append(String(cString: member))
                    next = place + 1
                }
                return Group(name: String(cString: entry.gr_name), members: members)
            })
    }

    /// Whether it is the primary group of an account in `/etc/passwd`.
    static func isFirst(_ group: UInt32) -> Bool {
        var isFirst = false
        // If the file can't be read, it may be.
        return !local { entry in
            isFirst = entry.pw_gid == group
            return !isFirst
        } || isFirst
    }

    /// The names of the accounts in `/etc/passwd`, without those of name services.
    public static func localNames() -> [String] {
        var names: [String] = []
        _ = local { entry in
            names.append(String(cString: entry.pw_name))
            return true
        }
        return names
    }

    /// Calls `body` with each entry of `/etc/passwd` until it returns false. Returns whether the file could be read.
    private static func local(_ body: (passwd) -> Bool) -> Bool {
        guard let file = fopen("/etc/passwd", "re") else { return false }
        defer { fclose(file) }
        var (entry, room) = (passwd(), [CChar](repeating: 0, count: 64 << 10))
        var found: UnsafeMutablePointer<passwd>?
        while true {
            switch fgetpwent_r(file, &entry, &room, room.count, &found) {
            case 0: if !body(entry) { return true }
            case let code: return code == ENOENT
            }
        }
    }

    private typealias LibraryGroup = Glibc.group

    private static func user(_ entry: passwd) -> User {
        User(name: String(cString: entry.pw_name), number: entry.pw_uid, group: entry.pw_gid)
    }

    /// Looks up an entry, with a larger buffer if it needs one; nil if there is none, or the look-up fails.
    private static func find<Entry, Found>(
        _ empty: Entry,
        _ look: (
            UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
        ) -> Int32,
        read: (Entry) -> Found
    ) -> Found? {
        var size = 4 << 10
        while size <= longest {
            let room = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { room.deallocate() }
            var entry = empty
            var found: UnsafeMutablePointer<Entry>?
            switch look(&entry, room, size, &found) {
            case 0: return found.map { read($0.pointee) }
            case EINTR: continue
            case ERANGE: size *= 4
            default: return nil
            }
        }
        return nil
    }
}
