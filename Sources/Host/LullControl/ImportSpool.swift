import Foundation

/// The part of an import that has come, in a file without a name: until it is whole, the host's memory has little of it.
///
/// There is one at a time; a second import is not read until the first one has ended.
final class ImportSpool {
    private let descriptor: Int32
    private(set) var missing: Int

    /// Nil: it can't be made.
    init?(in folder: String, bytes: Int) {
        let path = folder + "/control.import"
        unlink(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        missing = bytes
        guard descriptor >= 0 else { return nil }
        unlink(path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes what belongs to it off the buffer; false when the disk takes no more.
    func take(from buffer: inout [UInt8]) -> Bool {
        let part = buffer.prefix(missing)
        var rest = part
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        missing -= part.count
        buffer.removeFirst(part.count)
        return true
    }

    /// All of it; nil when it can't be read.
    func content() -> Data? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()
    }
}
