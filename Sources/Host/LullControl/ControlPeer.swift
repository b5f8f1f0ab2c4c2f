import CLullShims
import Glibc

/// The user and the process that connected, from the kernel.
struct ControlPeer: Equatable {
    let user: UInt32
    /// 0: a process that this one can't see.
    let process: Int32

    init?(_ descriptor: Int32) {
        var (user, process) = (UInt32(0), Int32(0))
        guard lull_peer(descriptor, &user, &process) == 0 else { return nil }
        (self.user, self.process) = (user, process)
    }

    var isPermitted: Bool { user == 0 || user == geteuid() }

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
