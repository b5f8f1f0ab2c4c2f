import CLullCurl
import Glibc
import LullModel
import LullTransfers

/// The end of a download: its digests are compared, and it is made durable under its final name.
///
/// On a thread of its own: a disk may take its time, and other transfers go on. The descriptors stay the caller's.
struct Finishing: Sendable {
    let id: TransferID
    let part: Int32
    let folder: Int32
    let stem: UInt64
    let claims: [DigestClaim]

    enum Outcome: Sendable {
        case durable
        /// The bytes do not have the digest that the server says.
        case wrong(String)
        case failed(Int32)
    }

    func run() -> Outcome {
        for claim in claims {
            guard let digest = digest(claim.algorithm) else {
                return .failed(errno == 0 ? EIO : errno)
            }
            if digest != claim.bytes {
                return .wrong(
                    "The file is damaged: its \(claim.algorithm.rawValue) is not what the server says.")
            }
        }
        guard fsync(part) == 0,
            renameat(folder, TransferFiles.part(stem), folder, TransferFiles.done(stem)) == 0,
            fsync(folder) == 0
        else { return .failed(errno) }
        return .durable
    }

    private func digest(_ algorithm: DigestClaim.Algorithm) -> [UInt8]? {
        errno = 0
        guard let digest = lull_digest_begin(algorithm.rawValue) else {
            errno = ENOTSUP
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset: off_t = 0
        while true {
            let count = pread(part, &buffer, buffer.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                var bytes = [UInt8](repeating: 0, count: 64)
                let length = Int(lull_digest_end(digest, &bytes))
                return count < 0 || length == 0 ? nil : Array(bytes[..<length])
            }
            lull_digest_add(digest, buffer, count)
            offset += off_t(count)
        }
    }
}
