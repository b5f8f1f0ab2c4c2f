import Foundation
import Glibc
import SystemPackage

/// A text in an unnamed file, from whose beginning a command reads it.
struct StandardInput {
    let descriptor: FileDescriptor

    init(holding text: String) throws(CommandError) {
        var template = Array((FileManager.default.temporaryDirectory.path + "/stdin.XXXXXX").utf8CString)
        let raw = mkstemp(&template)
        guard raw >= 0 else { throw Self.refusal(Errno(rawValue: errno)) }
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
        unlink(template)
        let descriptor = FileDescriptor(rawValue: raw)
        do {
            try descriptor.writeAll(text.utf8)
            try descriptor.seek(offset: 0, from: FileDescriptor.SeekOrigin.start)
        } catch {
            try? descriptor.close()
            throw Self.refusal(error)
        }
        self.descriptor = descriptor
    }

    private static func refusal(_ error: any Error) -> CommandError {
        .settings(
            "\"stdin\" can't be kept in the temporary folder: \(error). Make room there, or set TMPDIR.")
    }
}
