private import Glibc

/// A file's bytes at any offset; nil beyond the end, never a trap.
protocol ByteSource {
    var count: UInt64 { get }
    func bytes(at offset: UInt64, count: Int) -> [UInt8]?
}

/// Bytes in memory.
struct MemoryBytes: ByteSource {
    let content: [UInt8]

    var count: UInt64 { UInt64(content.count) }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard let end = checkedSum(offset, UInt64(count)), end <= self.count else { return nil }
        return Array(content[Int(offset)..<Int(end)])
    }
}

/// A file read piece by piece: a plugin may be large, and is mapped by the loader afterwards.
///
/// Opened once: all that is read here is of one file, even if another takes its place at its path. Not mapped here:
/// shortening a mapped file kills the process that reads it.
public final class FileBytes: ByteSource {
    let count: UInt64
    public let descriptor: Int32

    public init(opening path: String) throws(PluginFault) {
        // A pipe would block the opening itself.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR:
                throw Self.target(ofLink: path).map { .danglingLink($0) } ?? .missing
            case EACCES, EPERM: throw .forbidden
            default: throw .unreadable(String(cString: strerror(errno)))
            }
        }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw code == 0 ? .notAFile : .unreadable(String(cString: strerror(code)))
        }
        self.descriptor = descriptor
        count = UInt64(max(0, status.st_size))
    }

    /// Nil: it is no link.
    private static func target(ofLink path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &bytes, bytes.count)
        return length > 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
    }

    deinit { close(descriptor) }

    /// The SHA-256 of all of it, in hexadecimal.
    public func digest() throws(PluginFault) -> String {
        var digest = SHA256()
        var offset: UInt64 = 0
        while offset < count {
            let piece = Int(min(1 << 20, count - offset))
            guard let bytes = bytes(at: offset, count: piece) else {
                throw .unreadable("it was changed while it was read")
            }
            digest.add(bytes)
            offset += UInt64(piece)
        }
        return digest.hexadecimal()
    }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard let end = checkedSum(offset, UInt64(count)), end <= self.count,
            let start = off_t(exactly: offset)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let length = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, start + off_t(done))
            }
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return nil }
            done += length
        }
        return bytes
    }
}

/// Nil where it would overflow: sizes and addresses in a file can't be trusted.
func checkedSum(_ left: UInt64, _ right: UInt64) -> UInt64? {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? nil : sum
}

func checkedProduct(_ left: UInt64, _ right: UInt64) -> UInt64? {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? nil : product
}

extension ByteSource {
    /// Little-endian, as all that is read with this is.
    func integer<Number: FixedWidthInteger & UnsignedInteger>(
        at offset: UInt64, as: Number.Type = Number.self
    )
        -> Number?
    {
        bytes(at: offset, count: Number.bitWidth / 8)?.littleEndian(at: 0)
    }

    /// Text up to its NUL, and no longer than `limit`; nil when it has no end there.
    func text(at offset: UInt64, atMost limit: Int = 4096) -> String? {
        guard offset < count else { return nil }
        let length = Int(min(UInt64(limit), count - offset))
        guard let bytes = bytes(at: offset, count: length), let end = bytes.firstIndex(of: 0) else {
            return nil
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Nil beyond the end.
    func littleEndian<Number: FixedWidthInteger>(at offset: Int, as: Number.Type = Number.self) -> Number? {
        let width = Number.bitWidth / 8
        guard offset >= 0, offset <= count - width else { return nil }
        var number: Number = 0
        for index in (offset..<offset + width).reversed() {
            number = number << 8 | Number(truncatingIfNeeded: self[index])
        }
        return number
    }
}
