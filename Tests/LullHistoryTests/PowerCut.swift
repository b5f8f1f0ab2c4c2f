import CFaultyDisk
import Foundation
import LullHistory
import LullModel

/// The content of a disk after a power cut: everything that was synced, and any part of the rest.
///
/// It replays the steps that `CFaultyDisk` recorded. Each unsynced write is kept, dropped or torn at its sectors. A name may
/// exist or not if its folder was not synced afterwards.
struct PowerCut {
    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case size(Int)
    }

    private struct File {
        var synced: [UInt8] = []
        var pending: [Change] = []
        var exists = false
        /// Whether it exists on the disk; nil: undecided.
        var existsOnDisk: Bool? = false
    }

    private static let sector = 512
    private static let suffixes: [Int32: String] = [0: "", 1: "-wal", 2: "-journal"]
    private var files: [Int32: File] = [:]
    /// The test's last mark.
    private(set) var mark: Int64 = -1

    mutating func take(_ step: faulty_step) {
        var file = files[step.file, default: File()]
        switch UInt32(bitPattern: step.kind) {
        case FAULTY_CREATE.rawValue: file = File(exists: true, existsOnDisk: nil)
        case FAULTY_WRITE.rawValue:
            let bytes = Array(UnsafeBufferPointer(start: step.bytes, count: Int(step.length)))
            file.pending.append(.write(offset: Int(step.offset), bytes: bytes))
        case FAULTY_TRUNCATE.rawValue: file.pending.append(.size(Int(step.length)))
        case FAULTY_SYNC.rawValue:
            for change in file.pending { Self.apply(change, to: &file.synced) }
            file.pending = []
        case FAULTY_SYNC_NAMES.rawValue:
            files = files.mapValues { file in
                var file = file
                file.existsOnDisk = file.exists
                return file
            }
            file.existsOnDisk = file.exists
        case FAULTY_DELETE.rawValue:
            file.exists = false
            file.existsOnDisk = nil
        case FAULTY_MARK.rawValue:
            mark = step.offset
            return
        default: return
        }
        files[step.file] = file
    }

    /// Writes into `folder` the files that are left if the power is cut now.
    func leave(in folder: String, using random: inout SeededGenerator) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, suffix) in Self.suffixes.sorted(by: { $0.key < $1.key }) {
            guard let file = files[number], file.existsOnDisk ?? Bool.random(using: &random) else { continue }
            var bytes = file.synced
            for change in file.pending {
                switch change {
                case .size: if Bool.random(using: &random) { Self.apply(change, to: &bytes) }
                case .write(let offset, let written):
                    let fate = Int.random(in: 0..<3, using: &random)
                    for start in stride(from: 0, to: written.count, by: Self.sector)
                    where fate == 0 || (fate == 1 && Bool.random(using: &random)) {
                        let piece = Array(written[start..<min(start + Self.sector, written.count)])
                        Self.apply(.write(offset: offset + start, bytes: piece), to: &bytes)
                    }
                }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/history.sqlite" + suffix))
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .size(let size):
            if size < bytes.count { bytes.removeLast(bytes.count - size) }
        case .write(let offset, let written):
            let end = offset + written.count
            if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
            bytes.withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyBytes(from: written)
            }
        }
    }
}
