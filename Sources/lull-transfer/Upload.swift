import CLullCurl
import Glibc
import LullModel

/// The file that an upload sends, read where libcurl is; sent anew it begins anew.
final class Upload {
    let descriptor: Int32
    let size: Int64
    private(set) var offset: Int64 = 0

    /// Nil: it can't be opened, and the failure says why.
    static func open(_ order: TransferOrder, in folder: TransferFolder) -> Result<Upload, Refusal> {
        guard let name = order.file, TransferFiles.isUpload(name) else {
            return .failure(Refusal(code: ENOENT))
        }
        let file = folder.open(name, O_RDONLY, isShared: true)
        guard file >= 0 else { return .failure(Refusal(code: -file)) }
        return .success(Upload(descriptor: file, size: folder.size(of: name) ?? 0))
    }

    struct Refusal: Error {
        let code: Int32

        var failure: TransferFailure {
            TransferFailure(
                code: code == ENOENT
                    ? TransferFailure.Code.fileDoesNotExist : TransferFailure.Code.noPermissionsToReadFile,
                sentence: "The file to upload can't be read: \(String(cString: strerror(code))). "
                    + "Ask for the upload again.")
        }
    }

    private init(descriptor: Int32, size: Int64) {
        self.descriptor = descriptor
        self.size = size
    }

    deinit { close(descriptor) }

    /// Nil: it can't be read.
    func read(into buffer: UnsafeMutableRawPointer, _ capacity: Int) -> Int? {
        while true {
            let count = pread(descriptor, buffer, min(capacity, Int(size - offset)), off_t(offset))
            if count < 0, errno == EINTR { continue }
            // One that has become shorter would keep the server waiting.
            guard count > 0 || offset == size else { return nil }
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
