import Glibc
import LullModel
import LullTransfers

/// The files of one transfer while an attempt is under way: the part that has come, and the side file on it.
///
/// The side file is locked meanwhile, so that two processes never write one part: an earlier host's may still be at
/// work. The side file is on the disk before the part's first byte.
final class PartFile {
    let folder: TransferFolder
    let stem: UInt64
    private(set) var note: PartNote?
    private(set) var size: Int64 = 0
    /// The part; -1 until it is needed.
    private(set) var descriptor: Int32 = -1
    /// The side file, which bears the lock.
    private var side: Int32

    private static let openings = 100

    enum Opening {
        case open(PartFile)
        /// Locked by another process; the size of its part.
        case locked(Int64)
        case failed(Int32)
    }

    private init(folder: TransferFolder, stem: UInt64, side: Int32) {
        self.folder = folder
        self.stem = stem
        self.side = side
    }

    deinit { for file in [descriptor, side] where file >= 0 { close(file) } }

    static func open(in folder: TransferFolder, stem: UInt64) -> Opening {
        let name = TransferFiles.side(stem)
        for _ in 0..<openings {
            let side = folder.open(name, O_RDWR | O_CREAT)
            guard side >= 0 else { return .failed(-side) }
            guard flock(side, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(side)
                guard code == EWOULDBLOCK else { return .failed(code) }
                return .locked(folder.size(of: TransferFiles.part(stem)) ?? 0)
            }
            var (own, named) = (stat(), stat())
            guard fstat(side, &own) == 0,
                fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0, own.st_ino == named.st_ino
            else {
                // Another process has put a new file in its place while this one was opened.
                close(side)
                continue
            }
            let part = PartFile(folder: folder, stem: stem, side: side)
            part.readNote()
            return .open(part)
        }
        // The file is replaced too often to wait for it.
        return .failed(EBUSY)
    }

    private func readNote() {
        var bytes = [UInt8](repeating: 0, count: PartNote.mostBytes)
        let count = pread(side, &bytes, bytes.count, 0)
        note = count > 0 ? PartNote(Array(bytes[..<count])) : nil
        size = note == nil ? 0 : folder.size(of: TransferFiles.part(stem)) ?? 0
    }

    /// The size of the file if it was finished before; nil: it was not.
    var doneSize: Int64? { note == nil ? nil : folder.size(of: TransferFiles.done(stem)) }

    /// Begins an empty part, of which this is known. 0, or an errno.
    func begin(_ note: PartNote) -> Int32 {
        // The old bytes never lie beside the new note.
        var fault = clear()
        if fault == 0 { fault = write(note) }
        return fault
    }

    /// Opens the part to go on at its end. 0, or an errno.
    func goOn() -> Int32 { openPart() }

    /// Empties the part. 0, or an errno.
    func clear() -> Int32 {
        let fault = openPart()
        guard fault == 0 else { return fault }
        guard ftruncate(descriptor, 0) == 0, size == 0 || fsync(descriptor) == 0 else { return errno }
        size = 0
        return 0
    }

    /// Adds to the part. 0, or an errno.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let buffer = UnsafeRawBufferPointer(rebasing: rest)
            let count = pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(size))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            size += Int64(count)
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private func openPart() -> Int32 {
        guard descriptor < 0 else { return 0 }
        let file = folder.open(TransferFiles.part(stem), O_RDWR | O_CREAT)
        guard file >= 0 else { return -file }
        descriptor = file
        return 0
    }

    /// Writes the side file anew, and moves the lock to it.
    private func write(_ note: PartNote) -> Int32 {
        let name = TransferFiles.side(stem)
        let new = folder.open(name + ".new", O_RDWR | O_CREAT | O_TRUNC)
        guard new >= 0 else { return -new }
        var fault: Int32 = flock(new, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        let text = Array(note.text.utf8)
        if fault == 0, Glibc.write(new, text, text.count) != text.count {
            fault = errno == 0 ? ENOSPC : errno
        }
        if fault == 0, fsync(new) != 0 { fault = errno }
        if fault == 0 { fault = folder.rename(name + ".new", to: name) }
        if fault == 0 { fault = folder.sync() }
        guard fault == 0 else {
            close(new)
            return fault
        }
        close(side)
        side = new
        self.note = note
        return 0
    }

    /// Removes all files of a transfer.
    static func remove(stem: UInt64, upload: String?, from folder: TransferFolder) {
        for name in [TransferFiles.part(stem), TransferFiles.done(stem), TransferFiles.side(stem)] {
            folder.remove(name)
        }
        folder.remove(TransferFiles.side(stem) + ".new")
        if let upload, TransferFiles.isUpload(upload) { folder.remove(upload) }
    }
}
