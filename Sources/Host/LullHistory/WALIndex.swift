import Glibc

/// What the WAL's index (`-shm`) says of the WAL, read through SQLite's own descriptor; the layout is SQLite's file format.
struct WALIndex: Equatable {
    private static let headerBytes = 136
    private static let walHeaderBytes = 32
    private static let frameHeaderBytes = 24

    /// Grows with each commit.
    let changes: UInt32
    let pageSize: Int
    /// Frames of the WAL that hold commits.
    let frames: Int
    /// In the WAL's header and in each of its frames.
    let salt: [UInt8]
    /// Frames that stand in the database, too.
    let copied: UInt32
    /// Frames that are being copied there, or were when a full disk ended it: the database holds some of them already.
    let copying: UInt32

    /// Nil where the file is shorter than any index.
    init?(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: Self.headerBytes)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return nil }
        func number(at offset: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
        changes = number(at: 8)
        // 65,536 does not fit into its two bytes, and is written as 1.
        let size = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) }
        pageSize = size == 1 ? 65536 : Int(size)
        frames = bytes[12] == 1 ? Int(number(at: 16)) : 0
        salt = Array(bytes[32..<40])
        copied = number(at: 96)
        copying = number(at: 128)
    }

    /// What stands in the database need be neither what stood there nor all that is to stand there.
    var isHalfCopied: Bool { copying != copied }

    /// How long the WAL is at least.
    var walBytes: Int {
        frames == 0 ? 0 : Self.walHeaderBytes + frames * (Self.frameHeaderBytes + pageSize)
    }

    /// Whether the WAL's header and its frame of that number, from 1, are what this index is of.
    func isOf(_ wal: Int32, frame: Int) -> Bool {
        guard frames > 0 else { return true }
        let start = Self.walHeaderBytes + (max(1, frame) - 1) * (Self.frameHeaderBytes + pageSize)
        return [16, start + 8].allSatisfy { offset in
            var bytes = [UInt8](repeating: 0, count: 8)
            return pread(wal, &bytes, 8, off_t(offset)) == 8 && bytes == salt
        }
    }
}
