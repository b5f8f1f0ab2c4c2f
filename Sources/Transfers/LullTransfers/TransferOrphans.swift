private import CLullShims
private import Glibc

/// The processes `lull-transfer` of hosts that have ended, which finish what was under way in them.
///
/// Nobody can pause or cancel that, so the next host ends them before it answers anybody. What has come stays, and it goes on
/// from there. They are known by the state that they were started for: its mark stands in their command line.
public enum TransferOrphans {
    /// Of a state folder, wherever it is mounted and however it is called; nil: there is none.
    public static func mark(ofState folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        return "state=\(status.st_dev):\(status.st_ino)"
    }

    /// Returns when they have ended, or the kernel has not ended them within 5 s; how many there were.
    @discardableResult
    public static func end(mark: String) -> Int {
        guard let processes = opendir("/proc") else { return 0 }
        defer { closedir(processes) }
        var count = 0
        while let entry = readdir(processes) {
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            if let number = pid_t(name), end(number, mark: mark) { count += 1 }
        }
        return count
    }

    private static func end(_ number: pid_t, mark: String) -> Bool {
        // Held before it is looked at: its number may be another's by then.
        let process = lull_pidfd(number)
        guard process >= 0 else { return false }
        defer { close(process) }
        let words = words(of: number)
        guard words.count == 2, words.last == mark, lull_pidfd_signal(process, SIGKILL) == 0 else {
            return false
        }
        var ended = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        _ = poll(&ended, 1, 5_000)
        return true
    }

    private static func words(of process: pid_t) -> [String] {
        let file = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 256)
        let count = read(file, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
