private import CLullShims
private import Glibc

/// The processes `lull-transfer` of hosts that have ended, which finish what was under way in them.
///
/// Their transfers can't be paused or cancelled, so the next host kills them before it answers a client. The parts
/// stay, and are resumed. The processes are known by the state that they were started for: its mark is in their command
/// line.
public enum TransferOrphans {
    /// The mark of a state folder, whatever its path is; nil: there is no such folder.
    public static func mark(ofState folder: String) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        return "state=\(status.st_dev):\(status.st_ino)"
    }

    /// Kills them, and waits until each has ended, for 5 s at most. Returns how many there were.
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
        // Opened before the look: the pid may be another process's by then.
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
