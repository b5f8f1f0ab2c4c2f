import CLullCurl
import Glibc
import LullModel

/// The file that an upload sends, read at libcurl's position; each request begins at its start.
final class Upload {
    let descriptor: Int32
    let size: Int64
    private(set) var offset: Int64 = 0

    /// Why it can't be read, as an errno.
    struct Refusal: Error { let code: Int32 }

    static func open(_ order: TransferOrder, in folder: TransferFolder) throws(Refusal) -> Upload {
        guard let name = order.file, TransferFiles.isUpload(name) else { throw Refusal(code: ENOENT) }
        let file = folder.open(name, O_RDONLY, isShared: true)
        guard file >= 0 else { throw Refusal(code: -file) }
        return Upload(descriptor: file, size: folder.size(of: name) ?? 0)
    }

    static func failure(_ code: Int32) -> TransferFailure {
        TransferFailure(
            code: code == ENOENT
                ? TransferFailure.Code.fileDoesNotExist : TransferFailure.Code.noPermissionsToReadFile,
            sentence: "The file to upload can't be read: \(String(cString: strerror(code))). "
                + "Ask for the upload again.")
    }

    private init(descriptor: Int32, size: Int64) {
        self.descriptor = descriptor
        self.size = size
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawPointer, _ capacity: Int) throws(Refusal) -> Int {
        while true {
            let count = pread(descriptor, buffer, min(capacity, Int(size - offset)), off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Refusal(code: errno) }
            // A file that has become shorter would keep the server waiting.
            guard count > 0 || offset == size else { throw Refusal(code: ENODATA) }
            offset += Int64(count)
            return count
        }
    }

    func seek(to offset: Int64) -> Bool {
        guard (0...size).contains(offset) else { return false }
        self.offset = offset
        return true
    }
}
