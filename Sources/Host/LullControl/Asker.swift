import Glibc
import LullModel

/// Who asks something of a host: the user of the client's process, or who has a token of the page.
///
/// The kernel names the user (`SO_PEERCRED`), and the user who logged in and became that one, by `sudo` or `su`
/// (`/proc/PID/loginuid`). The client has no say in it.
public struct Asker: Sendable, Hashable {
    let user: UInt32
    /// The user who logged in; nil: the same, or not known.
    let login: UInt32?
    let bearer: Bearer?

    init(_ peer: ControlPeer, _ bearer: Bearer? = nil) {
        self.init(user: peer.user, login: Self.login(of: "\(peer.process)"), bearer)
    }

    init(user: UInt32, login: UInt32?, _ bearer: Bearer? = nil) {
        (self.user, self.bearer) = (user, bearer)
        self.login = login == user ? nil : login
    }

    /// This process, where no host runs.
    public static func ofThisProcess(_ bearer: Bearer? = nil) -> Asker {
        Asker(user: geteuid(), login: login(of: "self"), bearer)
    }

    /// Whether nothing but the users' names is needed to name it.
    public var isUser: Bool { bearer == nil }

    /// As the history names it: "anna", "anna as root", "token phone". `userName` may block as long as a name service does.
    public func name(stateFolder: String, userName: (UInt32) -> String?) -> String {
        let words =
            bearer?.words(stateFolder: stateFolder)
            ?? ([login, user].compactMap(\.self).map { userName($0) ?? "user \($0)" }).joined(
                separator: " as ")
        return ActorName.bounded(words) ?? "user \(user)"
    }

    /// The kernel has none for a service, and for a process that is gone.
    private static func login(of process: String) -> UInt32? {
        guard let file = fopen("/proc/\(process)/loginuid", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return login(in: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// The largest number stands for none.
    static func login(in text: String) -> UInt32? { UInt32(text).flatMap { $0 == .max ? nil : $0 } }
}
