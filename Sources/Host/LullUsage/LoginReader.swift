private import Glibc
import LullModel

/// Uses in `wtmp`: the logins of one user, or of all users.
///
/// The file is a sequence of records of one size (`utmp.h`); a record that is no login, or has no valid time, is skipped.
struct LoginReader: UseReader {
    static let recordBytes = MemoryLayout<utmpx>.size
    private static let limit = 32

    /// Nil for the logins of all users.
    private let user: [UInt8]?
    private var begun: [UInt8] = []
    /// Bytes up to the next record.
    private var toSkip = 0

    var pending: Int { begun.count }
    var tooLong: Int { 0 }
    var withoutTime: Int { 0 }

    init(user: String?) { self.user = user.map { Array($0.utf8) } }

    mutating func restart(at offset: Int64, isMidLine: Bool) {
        begun = []
        let size = Int64(Self.recordBytes)
        toSkip = Int((size - offset % size) % size)
    }

    mutating func feed(_ bytes: ArraySlice<UInt8>, _ use: (WallTime) -> Void) {
        let skipped = min(toSkip, bytes.count)
        toSkip -= skipped
        begun += bytes.dropFirst(skipped)
        var start = 0
        while start + Self.recordBytes <= begun.count {
            if let time = login(begun[start..<(start + Self.recordBytes)]) { use(time) }
            start += Self.recordBytes
        }
        begun.removeFirst(start)
    }

    /// Drops a record that was cut off.
    mutating func finish(_ use: (WallTime) -> Void) { begun = [] }

    private func login(_ bytes: ArraySlice<UInt8>) -> WallTime? {
        bytes.withUnsafeBytes { bytes in
            let record = bytes.loadUnaligned(as: utmpx.self)
            guard Int32(record.ut_type) == USER_PROCESS else { return nil }
            if let user {
                let name = withUnsafeBytes(of: record.ut_user) { Array($0.prefix { $0 != 0 }) }
                guard name.elementsEqual(user.prefix(Self.limit)) else { return nil }
            }
            let seconds = Int64(record.ut_tv.tv_sec)
            guard seconds > 0 else { return nil }
            return WallTime(
                milliseconds: seconds * 1000 + min(max(Int64(record.ut_tv.tv_usec), 0), 999_999) / 1000)
        }
    }
}
