import CLullShims
import Glibc

/// The user and the process that connected, from the kernel.
struct ControlPeer: Equatable {
    let user: UInt32
    /// 0: a process that this one can't see.
    let process: Int32
    /// Whether it is a member of the group that may read, and may do no more than that.
    let isReader: Bool

    /// `readers`: the group that may read; nil: none.
    init?(_ descriptor: Int32, readers: UInt32? = nil) {
        var (user, process) = (UInt32(0), Int32(0))
        guard lull_peer(descriptor, &user, &process) == 0 else { return nil }
        (self.user, self.process) = (user, process)
        let isOwn = user == 0 || user == geteuid()
        isReader = !isOwn && readers.map { lull_peer_is_in(descriptor, $0) == 1 } == true
        isPermitted = isOwn || isReader
    }

    /// Whether it may ask anything.
    let isPermitted: Bool

    /// For a sentence.
    var words: String {
        guard process > 0 else { return "a process that the host can't see" }
        guard let file = fopen("/proc/\(process)/comm", "re") else { return "process \(process)" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        let name = String(decoding: bytes.prefix(count).filter { $0 >= 32 && $0 != 127 }, as: UTF8.self)
        return "process \(process)" + (name.isEmpty ? "" : " (\(name))")
    }
}
