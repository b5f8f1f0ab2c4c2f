import Glibc

/// Makes folders whose names survive a power cut: the state folder, and those above it.
public enum DurableFolder {
    /// The path that can't be used, and the reason.
    public struct Refusal: Error, Sendable, Equatable {
        public let path: String
        /// An errno; ENOTDIR if the path leads to something else than a folder.
        public let code: Int32

        public var words: String { systemReason(code) }
    }

    /// Makes the folder for its owner alone, and the missing folders above it; its name is durable when this returns. Other
    /// users can pass through the folders that root makes above it, because root's apps have accounts of their own.
    public static func make(_ folder: String) throws(Refusal) {
        try make(folder, mode: 0o700)
    }

    private static func make(_ folder: String, mode: mode_t) throws(Refusal) {
        var status = stat()
        if stat(folder, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw Refusal(path: folder, code: ENOTDIR) }
            return
        }
        let parent = parent(of: folder)
        if parent != folder { try make(parent, mode: geteuid() == 0 ? 0o711 : 0o700) }
        guard mkdir(folder, mode) == 0 || errno == EEXIST else { throw Refusal(path: folder, code: errno) }
        sync(parent)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Makes the names in a folder durable, if the file system can do so.
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

extension HistoryError {
    init(_ refusal: DurableFolder.Refusal) {
        self =
            switch refusal.code {
            case ENOSPC: .full(path: refusal.path)
            case ENOTDIR: .inaccessible(path: refusal.path, reason: "the state folder is not a folder")
            default:
                .inaccessible(
                    path: refusal.path, reason: "the state folder can't be made: \(refusal.words)")
            }
    }
}
