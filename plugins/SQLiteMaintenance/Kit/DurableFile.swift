import Foundation
import Glibc

/// Files that have either their old or their new content, whatever cuts the power in between.
enum DurableFile {
    struct Failure: Error {
        var reason: String

        static var last: Failure { Failure(reason: String(cString: strerror(errno))) }
    }

    /// Syncs the file `new`, renames it to `path` and syncs the folder.
    static func rename(_ new: String, to path: String) throws(Failure) {
        try sync(new, flags: O_RDONLY)
        guard Glibc.rename(new, path) == 0 else { throw .last }
        try sync((path as NSString).deletingLastPathComponent, flags: O_RDONLY | O_DIRECTORY)
    }

    static func write(_ data: Data, to path: String) throws(Failure) {
        let new = path + ".new"
        do {
            try data.write(to: URL(fileURLWithPath: new))
        } catch {
            throw Failure(reason: error.localizedDescription)
        }
        try rename(new, to: path)
    }

    private static func sync(_ path: String, flags: Int32) throws(Failure) {
        let descriptor = open(path.isEmpty ? "." : path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
