private import Glibc

/// Bytes free to the host's user where its state lies.
struct DiskSpace: Equatable {
    let free: Int64
    /// Why the free space is not known and counts as none.
    let fault: String?

    init(folder: String) {
        var path = folder
        var status = statvfs()
        // The folder may not have been made yet: its nearest parent is on the same file system.
        while statvfs(path, &status) != 0 {
            let code = errno
            guard code == ENOENT, path != ".", path != "/" else {
                free = 0
                fault = Unreadable(path: folder, code: code).reason
                return
            }
            let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
            path = parent.isEmpty ? "/" : String(parent)
        }
        let (product, overflow) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        free = overflow ? .max : product
        fault = nil
    }
}
