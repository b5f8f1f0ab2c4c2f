import Foundation
import TestSupport
import Testing

@testable import LullHistory

/// Reading a large history sequentially before its check changes nothing, and blocks nothing.
struct ReadAheadTests {
    @Test func `a large file is read to its end, a small one is left to the check`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try Data(count: (3 << 20) + 7).write(to: URL(fileURLWithPath: path))
        #expect(ReadAhead.file(path, least: 1 << 20) == (3 << 20) + 7)
        #expect(ReadAhead.file(path) == 0)
    }

    @Test func `what is no file is none`() throws {
        let folder = try TemporaryFolder()
        #expect(ReadAhead.file(folder.path, least: 0) == 0)
        #expect(ReadAhead.file(folder.path + "/missing", least: 0) == 0)
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(ReadAhead.file(folder.path + "/pipe", least: 0) == 0)
    }
}
