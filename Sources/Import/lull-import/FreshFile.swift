import Foundation
import Glibc

/// Writes a file under another name and renames it once it is whole, so that nobody ever finds half of it.
///
/// Its mode is set on the open file: by name, a link put there meanwhile would be followed.
enum FreshFile {
    /// The error of the system.
    struct Refusal: Error, Equatable {
        let code: Int32
    }

    static func write(_ bytes: Data, to path: String, mode: mode_t) throws(Refusal) {
        var name = Array("\(path).XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else { throw Refusal(code: errno) }
        var code = fill(file, bytes)
        if code == 0, fchmod(file, mode) != 0 { code = errno }
        if code == 0, fsync(file) != 0 { code = errno }
        close(file)
        if code == 0, rename(name, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(name)
            throw Refusal(code: code)
        }
        sync(folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private static func fill(_ file: Int32, _ bytes: Data) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(file, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                written += count
            }
            return 0
        }
    }

    /// A file system that can't sync a folder is not refused.
    private static func sync(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
