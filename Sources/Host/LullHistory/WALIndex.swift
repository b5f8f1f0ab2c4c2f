import Glibc

/// The header of the WAL's index (`-shm`), read through SQLite's own descriptor; the layout is SQLite's file format.
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
    /// Frames that are in the database too.
    let copied: UInt32
    /// Frames that are being copied there, or were when a full disk stopped the copy: the database holds some of them already.
    let copying: UInt32

    /// Nil if the file is shorter than any index.
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

    /// Whether only a part of the frames is copied, so that the database matches neither its old nor its new state.
    var isHalfCopied: Bool { copying != copied }

    /// The least size of the WAL in bytes.
    var walBytes: Int {
        frames == 0 ? 0 : Self.walHeaderBytes + frames * (Self.frameHeaderBytes + pageSize)
    }

    /// Whether the WAL's header and its frame of that number, from 1, have this index's salt.
    func isOf(_ wal: Int32, frame: Int) -> Bool {
        guard frames > 0 else { return true }
        let start = Self.walHeaderBytes + (max(1, frame) - 1) * (Self.frameHeaderBytes + pageSize)
        return [16, start + 8].allSatisfy { offset in
            var bytes = [UInt8](repeating: 0, count: 8)
            return pread(wal, &bytes, 8, off_t(offset)) == 8 && bytes == salt
        }
    }
}
