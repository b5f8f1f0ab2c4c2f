import CLullShims
import Glibc
import LullModel

/// A file to upload, as it was taken into the transfers' folder: later changes of the app's own file do not matter.
struct UploadFile {
    let name: String
    private let folder: String

    /// `state` is the app's state folder. Durable when it returns.
    init(takingOver path: String, of state: String) throws(TransferFault) {
        folder = state + "/" + TransferFiles.folder
        name = "up-" + Self.number()
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard source >= 0 else { throw Self.fault(path, errno) }
        defer { close(source) }
        let folder = try Self.openFolder(self.folder)
        defer { close(folder) }
        let code = lull_take_over(source, folder, name)
        guard code == 0 else { throw Self.fault(path, code) }
    }

    /// Removes a file that will not be sent.
    func remove() { unlink(folder + "/" + name) }

    private static func openFolder(_ path: String) throws(TransferFault) -> Int32 {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw TransferFault("The folder '\(path)' can't be made: \(words(errno)).")
        }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else {
            throw TransferFault("The folder '\(path)' can't be opened: \(words(errno)).")
        }
        return folder
    }

    /// 32 digits, which no other file has.
    private static func number() -> String {
        var random = SystemRandomNumberGenerator()
        return [random.next(), random.next()].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func fault(_ path: String, _ code: Int32) -> TransferFault {
        TransferFault("The file '\(path)' can't be uploaded: \(words(code)). Name a file that can be read.")
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
