import Foundation
import Glibc
import TestSupport
import Testing

@testable import LullHost

struct FileLookTests {
    @Test func `a file is known by its content as long as a manifest could hold it`() throws {
        let folder = try TemporaryFolder()
        try folder.file("a", "four")
        try folder.file("b", "fives")
        let (a, b, gone) = (folder.path + "/a", folder.path + "/b", folder.path + "/gone")
        let looks = FileLook.look(at: [a, b, gone], limit: 8)
        #expect(looks[a] == .content(Array("four".utf8)))
        #expect(looks[gone] == .absent)
        guard case .identity(let identity) = looks[b] else {
            Issue.record("it was read beyond the limit")
            return
        }
        #expect(identity.bytes == 5)
        // Replaced by a file with the same bytes: no change for `a`, which is read, but one for `b`.
        for name in ["a", "b"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/" + name, toPath: folder.path + "/" + name + ".new")
            rename(folder.path + "/" + name + ".new", folder.path + "/" + name)
        }
        let later = FileLook.look(at: [a, b, gone], limit: 8)
        #expect(later[a] == looks[a])
        #expect(later[b] != looks[b])
    }

    @Test func `a file of any size is looked at and not read`() throws {
        let folder = try TemporaryFolder()
        try folder.file("large.yaml", "")
        try #require(truncate(folder.path + "/large.yaml", 1 << 40) == 0)
        let look = FileLook.look(at: [folder.path + "/large.yaml"]).values.first
        guard case .identity(let identity)? = look else {
            Issue.record("it was read")
            return
        }
        #expect(identity.bytes == 1 << 40)
    }

    @Test func `a pipe or a folder in its place is nothing to wait for`() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/pipe.yaml", 0o600) == 0)
        let looks = FileLook.look(at: [folder.path, folder.path + "/pipe.yaml"])
        #expect(looks.values.allSatisfy { $0 == .absent })
    }
}
