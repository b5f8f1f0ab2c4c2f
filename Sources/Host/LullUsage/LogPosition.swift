import LullModel

/// How far a log has been read.
///
/// Device and inode find the file again after it was renamed. `mark`, a hash of the bytes before `offset`, finds it after
/// it was copied, and detects another file with the same inode. None of its lines is kept.
struct LogPosition: Sendable, Equatable, Codable {
    var device: UInt64
    var inode: UInt64
    /// The offset after the last complete line.
    var offset: Int64
    var mark: UInt64
    /// When it was read up to here.
    var read: WallTime

    /// Everything up to `now` has been read; all later content is new.
    static func nothing(at now: WallTime) -> LogPosition {
        LogPosition(device: 0, inode: 0, offset: 0, mark: 0, read: now)
    }
}
