import Glibc
import LullModel
import Testing

@testable import LullUsage

/// Logins from the records of `wtmp`.
struct LoginReaderTests {
    static func record(_ user: String, at seconds: Int32, type: Int32 = USER_PROCESS) -> [UInt8] {
        var record = utmpx()
        record.ut_type = Int16(type)
        record.ut_tv.tv_sec = numericCast(seconds)
        withUnsafeMutableBytes(of: &record.ut_user) { bytes in
            for (index, byte) in user.utf8.prefix(32).enumerated() { bytes[index] = byte }
        }
        return withUnsafeBytes(of: &record) { Array($0) }
    }

    private func uses(_ bytes: [UInt8], of user: String?, portion: Int = 100, from offset: Int64 = 0)
        -> [Int64]
    {
        var reader = LoginReader(user: user)
        reader.restart(at: offset, isMidLine: offset > 0)
        var uses: [Int64] = []
        var rest = bytes[Int(offset)...]
        while !rest.isEmpty {
            reader.feed(rest.prefix(portion)) { uses.append($0.seconds) }
            rest = rest.dropFirst(portion)
        }
        return uses
    }

    @Test func `logins of the user are told, and those of anybody`() {
        let full = String(repeating: "x", count: 32)
        let bytes =
            Self.record("me", at: 1000) + Self.record("you", at: 2000)
            + Self.record("me", at: 3000, type: DEAD_PROCESS)
            + Self.record("reboot", at: 4000, type: BOOT_TIME)
            + Self.record("me", at: 5000) + Self.record(full, at: 6000) + Self.record("me", at: 0)
        #expect(uses(bytes, of: "me") == [1000, 5000])
        #expect(uses(bytes, of: nil) == [1000, 2000, 5000, 6000])
        #expect(uses(bytes, of: full) == [6000])
        #expect(uses(bytes, of: "m") == [])
        #expect(uses(bytes, of: nil, from: 5) == [2000, 5000, 6000])
    }

    @Test func `random bytes are no trap`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let bytes = random.bytes(upTo: 2000)
            _ = uses(bytes, of: "me", portion: 37)
            _ = uses(bytes, of: nil, portion: 1000)
        }
    }
}
