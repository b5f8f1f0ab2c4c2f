private import Glibc

/// The times of a repository's commits, as git prints them.
enum GitHistory {
    /// Whether a folder is a repository, with or without a working copy.
    static func isRepository(_ path: String) -> Bool {
        exists(path + "/.git") || (exists(path + "/HEAD") && exists(path + "/objects"))
    }

    /// One line of unix seconds per commit. A path within a repository stands for the commits that touched it.
    static func commits(of path: String, author: String?) throws(ImportError) -> ImportInput {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        var folder = path
        var part: String?
        if status.st_mode & S_IFMT != S_IFDIR {
            let slash = path.lastIndex(of: "/")
            folder = slash.map { String(path[...$0]) } ?? "."
            part = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
        } else if !isRepository(path) {
            part = "."
        }
        var arguments = ["-C", folder, "-c", "log.showSignature=false", "log", "--format=%ct"]
        if let author { arguments.append("--author=" + author) }
        // A path must not be read as an option or a pattern.
        arguments.append("--")
        if let part { arguments.append(":(literal)" + part) }
        // In a hook these name the hook's own repository.
        let program = try ChildProgram(
            "git", arguments, of: path,
            without: ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"])
        return ImportInput(name: path, program: program)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
