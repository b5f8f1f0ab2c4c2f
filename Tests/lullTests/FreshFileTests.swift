import Foundation
import Glibc
import TestSupport
import Testing

@testable import lull
@testable import lull_import

struct FreshFileTests {
    private func mode(_ file: String) -> mode_t? {
        var status = stat()
        return lstat(file, &status) == 0 ? status.st_mode : nil
    }

    @Test func `a file takes the place of a link, and what that leads to stays as it was`() throws {
        let folder = try TemporaryFolder()
        try "secret".write(toFile: folder.path + "/secret", atomically: false, encoding: .utf8)
        try #require(chmod(folder.path + "/secret", 0o600) == 0)
        try #require(symlink("secret", folder.path + "/jobs.yaml") == 0)
        try FreshFile.write(Data("version: 1\n".utf8), to: folder.path + "/jobs.yaml", mode: 0o644)
        #expect(mode(folder.path + "/jobs.yaml") == S_IFREG | 0o644)
        #expect(mode(folder.path + "/secret") == S_IFREG | 0o600)
        #expect(try String(contentsOfFile: folder.path + "/jobs.yaml", encoding: .utf8) == "version: 1\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "jobs.yaml", "secret",
            ])
    }

    @Test func `what can't take its name leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/jobs.yaml/x", withIntermediateDirectories: true)
        #expect(throws: FreshFile.Refusal(code: EISDIR)) {
            try FreshFile.write(Data("x".utf8), to: folder.path + "/jobs.yaml", mode: 0o644)
        }
        #expect(throws: FreshFile.Refusal(code: ENOENT)) {
            try FreshFile.write(Data("x".utf8), to: folder.path + "/none/jobs.yaml", mode: 0o644)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["jobs.yaml"])
    }
}
