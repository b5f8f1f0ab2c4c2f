import Foundation
import LullELF
import TestSupport
import Testing

/// The plugin is built with gcc outside of SwiftPM, as an author of C plugins does, and loaded by a small host.
@Suite struct MirrorTests {
    let folder: TemporaryFolder
    let host: FakeHost
    private let target: String

    init() throws {
        folder = try TemporaryFolder()
        host = try FakeHost(in: folder.path)
        target = folder.path + "/list.txt"
    }

    private func settings(keep: Int? = nil) -> [[String]] {
        [
            ["set", "/lull/permitted/0", "com.example.Mirror.transfers"],
            ["set", "/files/0/url", "https://example.org/list.txt"], ["set", "/files/0/to", target],
        ] + (keep.map { [["set", "/keep", "\($0)"]] } ?? [])
    }

    /// A transfer that has finished, with what came in a file.
    private func finished(
        _ text: String, keep: Int = 0, sha256: String = "-", status: Int = 200, etag: String = "-",
        phase: String = "5", in place: String? = nil
    ) throws -> [String] {
        let file = (place ?? folder.path) + "/\(UUID().uuidString).done"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return [
            "transfer", "7", phase, "\(status)", file, "\(keep) \(sha256) \(target)",
            "https://example.org/list.txt", etag,
        ]
    }

    private func content(_ suffix: String = "") -> String? {
        try? String(contentsOfFile: target + suffix, encoding: .utf8)
    }

    private let taken = ["act 7 taking", "act 7 taken"]

    @Test func `it asks for each file, and the run is done before any has come`() throws {
        #expect(
            try host.obey(settings(keep: 2) + [["launch", "processing"]]) == [
                "asked example.org https://example.org/list.txt as 1 for 2 - \(target)",
                "log: asked for \"\(target)\" (t101)", "completed true",
            ])
    }

    @Test func `what is on its way is not asked for again`() throws {
        let active = ["transfer", "7", "2", "0", "-", "0 - \(target)", "https://example.org/list.txt", "-"]
        #expect(
            try host.obey(settings() + [active, ["launch", "processing"]]) == [
                "log: \"\(target)\" is on its way (t7)", "completed true",
            ])
    }

    @Test func `what has come is put in its place, and only a newer one is asked for then`() throws {
        let output = try host.obey(
            settings() + [
                try finished("new", etag: "\"v2\""), ["launch", "transfers"], ["launch", "processing"],
            ])
        #expect(
            output == [
                "act 7 taking", "log: \"\(target)\" is new", "act 7 taken", "completed true",
                "asked example.org https://example.org/list.txt as 2 for 0 - \(target) [If-None-Match: \"v2\"]",
                "log: asked for \"\(target)\" (t102)", "completed true",
            ])
        #expect(content() == "new" && content(".1") == nil && content(".new") == nil)
        // Where the file is gone, all of it is asked for.
        try FileManager.default.removeItem(atPath: target)
        #expect(
            try host.obey(settings() + [["launch", "processing"]]).first
                == "asked example.org https://example.org/list.txt as 1 for 0 - \(target)")
    }

    @Test func `older versions are kept, the newest first, and the same bytes are no new one`() throws {
        for text in ["a", "b", "b", "c", "d"] {
            _ = try host.obey([try finished(text, keep: 2), ["launch", "transfers"]])
        }
        #expect([content(), content(".1"), content(".2"), content(".3")] == ["d", "c", "b", nil])
    }

    @Test func `a server that says that nothing has changed costs nothing`() throws {
        try "old".write(toFile: target, atomically: false, encoding: .utf8)
        let output = try host.obey([try finished("", keep: 1, status: 304), ["launch", "transfers"]])
        #expect(
            output == ["act 7 taking", "log: \"\(target)\" has not changed", "act 7 taken", "completed true"])
        #expect(content() == "old" && content(".1") == nil)
    }

    /// Lengths around the ends of the digest's blocks.
    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 128, 100_000])
    func `what has the digest of the settings is taken`(length: Int) throws {
        let text = String(repeating: "x", count: length)
        let right = SHA256.hexadecimal(of: Array(text.utf8))
        let output = try host.obey([try finished(text, sha256: right), ["launch", "transfers"]])
        #expect(output.last == "completed true" && content() == text, "\(output)")
    }

    @Test func `what has another digest fails the run, and the file stays as it was`() throws {
        try "old".write(toFile: target, atomically: false, encoding: .utf8)
        let wrong = String(repeating: "0", count: 64)
        let output = try host.obey([try finished("new", sha256: wrong), ["launch", "transfers"]])
        #expect(output.contains { $0.hasPrefix("error: what came for \"\(target)\" is not what \"sha256\"") })
        #expect(output.last == "completed false" && content() == "old")
        #expect(output.filter { $0.hasPrefix("act") } == taken)
    }

    @Test func `a server's error and a failed transfer fail the run, each with a sentence`() throws {
        let output = try host.obey([
            try finished("not found", status: 404), ["launch", "transfers"],
            try finished("", status: 0, phase: "6"), ["launch", "transfers"],
        ])
        #expect(
            output.filter { $0.hasPrefix("error") } == [
                "error: the server answered 404 for \"\(target)\", which stays as it was. "
                    + "Correct \"url\" in the settings.",
                "error: \"\(target)\" did not come: There is no such host.",
            ])
        #expect(content() == nil)
    }

    @Test func `a file that did not come fails no other task's run, and is asked for again`() throws {
        let output = try host.obey(
            settings() + [
                try finished("", status: 0, phase: "6"), ["launch", "processing"], ["launch", "transfers"],
            ])
        #expect(
            output == [
                "asked example.org https://example.org/list.txt as 2 for 0 - \(target)",
                "log: asked for \"\(target)\" (t102)", "completed true",
                "act 7 taking", "error: \"\(target)\" did not come: There is no such host.", "act 7 taken",
                "completed false",
            ])
    }

    @Test func `what has come and is not in its place yet is not asked for again`() throws {
        let output = try host.obey(
            settings() + [try finished("new"), ["launch", "processing"], ["launch", "transfers"]])
        #expect(output.first == "log: \"\(target)\" is on its way (t7)" && content() == "new", "\(output)")
    }

    @Test func `a failed run says its failure last, for its reason`() throws {
        var other = try finished("new")
        other[1] = "8"
        let output = try host.obey([try finished("", status: 0, phase: "6"), other, ["launch", "transfers"]])
        #expect(
            output.suffix(4) == [
                "log: \"\(target)\" is new", "act 8 taken",
                "error: \"\(target)\" did not come: There is no such host.", "completed false",
            ])
    }

    @Test func `what an earlier run had put there before it could say so is not missed`() throws {
        try "new".write(toFile: target, atomically: false, encoding: .utf8)
        var gone = try finished("new", phase: "5!")
        try FileManager.default.removeItem(atPath: gone[4])
        #expect(
            try host.obey([gone, ["launch", "transfers"]])
                == ["act 7 taking", "act 7 taken", "completed true"])
        // It had brought the file to its folder, and no further.
        try "newest".write(toFile: target + ".new", atomically: false, encoding: .utf8)
        gone[1] = "8"
        #expect(try host.obey([gone, ["launch", "transfers"]]).last == "completed true")
        #expect(content() == "newest")
    }

    @Test func `a file comes from another file system whole`() throws {
        let shared = "/dev/shm/mirror-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: shared) }
        let text = String(repeating: "0123456789", count: 50_000)
        let output = try host.obey([try finished(text, keep: 1, in: shared), ["launch", "transfers"]])
        #expect(output.last == "completed true" && content() == text)
    }

    @Test func `a folder that is not there is named, with the remedy`() throws {
        var line = try finished("new")
        line[5] = "0 - /nonexistent/folder/list.txt"
        let output = try host.obey([line, ["launch", "transfers"]])
        #expect(
            output.contains(
                "error: \"/nonexistent/folder/list.txt\" can't be written: No such file or directory. Make its folder."
            ))
    }

    @Test func `what the host refuses fails the run with its reason`() throws {
        let output = try host.obey([
            ["set", "/files/0/url", "https://forbidden.example/"], ["set", "/files/0/to", target],
            ["launch", "processing"],
        ])
        #expect(
            output == [
                "error: \"\(target)\" can't be asked for: jobs.yaml does not permit the host",
                "completed false",
            ])
        #expect(
            try host.obey([["launch", "processing"]]) == [
                "error: there is no file to keep. List them in the settings, under \"files\".",
                "completed false",
            ])
    }

    @Test func `a server that does not answer keeps no other's files waiting`() throws {
        let urls = [
            "https://example.org/a", "http://name:word@[::1]:8080?b", "https://example.net",
            "https://\(String(repeating: "x", count: 300))/c",
        ]
        let output = try host.obey(
            urls.enumerated().flatMap { index, url in
                [["set", "/files/\(index)/url", url], ["set", "/files/\(index)/to", target + "\(index)"]]
            } + [["launch", "processing"]])
        let sessions = output.filter { $0.hasPrefix("asked ") }.map { $0.split(separator: " ")[1] }
        #expect(
            sessions.map(String.init) == [
                "example.org", "[::1]:8080", "example.net", String(repeating: "x", count: 255),
            ])
    }

    @Test func `the schema takes what the plugin reads, and refuses what it would not`() throws {
        guard case .declared(let text) = try SettingsDeclaration(of: FileBytes(opening: host.plugin)) else {
            throw FakeHost.Failure(description: "the file declares no settings")
        }
        let declared = try DeclaredSettings(text)
        let digest = String(repeating: "a", count: 64)
        for right in [
            #"{"files":[{"url":"https://e.org/a","to":"/srv/a"}]}"#,
            #"{"files":[{"url":"http://e.org/a","to":"/srv/a","sha256":"\#(digest)"}],"keep":3}"#,
        ] {
            #expect(try declared.faults(ofTask: right).isEmpty, "\(right)")
        }
        for wrong in [
            "{}", #"{"files":[]}"#, #"{"files":["https://e.org/a"]}"#,
            #"{"files":[{"url":"ftp://e.org/a","to":"/srv/a"}]}"#,
            #"{"files":[{"url":"https://e.org/a","to":"a"}]}"#,
            #"{"files":[{"url":"https://e.org/a","to":"/srv/"}]}"#,
            #"{"files":[{"url":"https://e.org/a","to":"/srv/a","sha256":"abc"}]}"#,
            #"{"files":[{"url":"https://e.org/a","to":"/srv/a"}],"keep":-1}"#,
            #"{"files":[{"url":"https://e.org/a","to":"/srv/a"}],"mode":1}"#,
        ] {
            #expect(try !declared.faults(ofTask: wrong).isEmpty, "\(wrong)")
        }
    }
}
