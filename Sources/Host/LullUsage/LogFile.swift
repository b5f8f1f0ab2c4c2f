private import Glibc
import LullModel

/// An open log file, and how far it has been read.
final class LogFile {
    private let descriptor: Int32
    let device: UInt64
    let inode: UInt64
    private var reader: any UseReader
    private var readTo: Int64
    private var mark: UInt64 = 0
    private static let markBytes: Int64 = 256
    private static let portion = 256 << 10

    enum Refusal: Error, Equatable {
        case missing
        /// An errno.
        case unreadable(Int32)
        case notAFile
        /// A link in the path was created by this user, and the file that it leads to belongs to another.
        case foreignLink(UInt32)
    }

    init(_ path: String, at offset: Int64, isMidLine: Bool, reader: any UseReader) throws(Refusal) {
        descriptor = try LogPath.open(path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw .unreadable(errno)
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        readTo = offset
        self.reader = reader
        self.reader.restart(at: offset, isMidLine: isMidLine)
        mark = Self.mark(descriptor, at: readTo) ?? 0
    }

    deinit { close(descriptor) }

    var tooLong: Int { reader.tooLong }
    var withoutTime: Int { reader.withoutTime }

    /// Whether the file was truncated or overwritten, so that it no longer holds the bytes that were read.
    var wasRewritten: Bool {
        guard let size = status?.size else { return false }
        return size < readTo || Self.mark(descriptor, at: position) != mark
    }

    /// Whether no folder holds the file any more.
    var isDeleted: Bool { status?.links == 0 }

    /// The offset after the last complete line.
    private var position: Int64 { max(readTo - Int64(reader.pending), 0) }

    /// Reads new bytes, at most `budget` of them. Returns whether these were all.
    func read(budget: inout Int, _ use: (WallTime) -> Void) -> Bool {
        var isAll = false
        while budget > 0 {
            let bytes = Self.bytes(descriptor, at: readTo, count: min(Self.portion, budget))
            guard !bytes.isEmpty else {
                isAll = true
                break
            }
            readTo += Int64(bytes.count)
            budget -= bytes.count
            reader.feed(bytes[...], use)
        }
        mark = Self.mark(descriptor, at: position) ?? mark
        return isAll
    }

    /// Reads the rest of a file that no longer grows.
    func readToEnd(_ use: (WallTime) -> Void) {
        var budget = Int.max
        _ = read(budget: &budget, use)
        reader.finish(use)
        mark = Self.mark(descriptor, at: position) ?? mark
    }

    func position(at now: WallTime) -> LogPosition {
        LogPosition(device: device, inode: inode, offset: position, mark: mark, read: now)
    }

    private var status: (size: Int64, links: UInt)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return (Int64(status.st_size), UInt(status.st_nlink))
    }

    /// A path to this open file, even after it is renamed.
    var ownPath: String { "/proc/self/fd/\(descriptor)" }

    /// Why the file at `path` can't be read; nil if it can.
    static func refusal(at path: String) -> Refusal? {
        do throws(Refusal) {
            _ = try LogFile(path, at: 0, isMidLine: false, reader: NoReader())
            return nil
        } catch {
            return error
        }
    }

    /// Whether the file at `path` begins with the bytes that were read up to `position`.
    static func continues(_ position: LogPosition, at path: String) -> Bool {
        guard let descriptor = try? LogPath.open(path) else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int64(status.st_size) >= position.offset else { return false }
        let isSame = UInt64(status.st_dev) == position.device && UInt64(status.st_ino) == position.inode
        guard position.offset > 0 else { return isSame }
        return mark(descriptor, at: position.offset) == position.mark
    }

    /// The FNV-1a hash of the bytes before `offset`; nil if the file is shorter.
    private static func mark(_ descriptor: Int32, at offset: Int64) -> UInt64? {
        let count = min(offset, markBytes)
        let bytes = bytes(descriptor, at: offset - count, count: Int(count))
        guard bytes.count == count else { return nil }
        return bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func bytes(_ descriptor: Int32, at offset: Int64, count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var got = -1
            repeat {
                got = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while got < 0 && errno == EINTR
            initialized = max(got, 0)
        }
    }
}

/// Finds nothing.
private struct NoReader: UseReader {
    var pending: Int { 0 }
    var tooLong: Int { 0 }
    var withoutTime: Int { 0 }
    mutating func restart(at offset: Int64, isMidLine: Bool) {}
    mutating func feed(_ bytes: ArraySlice<UInt8>, _ use: (WallTime) -> Void) {}
    mutating func finish(_ use: (WallTime) -> Void) {}
}
