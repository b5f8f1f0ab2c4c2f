import Glibc

/// The folder in which a host keeps its state.
enum StateFolder {
    /// Makes the folder, and those above it, where they are not there; its name is durable when this returns.
    static func make(_ folder: String) throws(HistoryError) {
        var status = stat()
        if stat(folder, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw .inaccessible(path: folder, reason: "the state folder is not a folder")
            }
            return
        }
        let parent = parent(of: folder)
        if parent != folder { try make(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            if errno == ENOSPC { throw .full(path: folder) }
            throw .inaccessible(
                path: folder, reason: "the state folder can't be made: \(systemReason(errno))")
        }
        sync(parent)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Makes the names in a folder durable; a file system that can't is not one to refuse.
    static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
