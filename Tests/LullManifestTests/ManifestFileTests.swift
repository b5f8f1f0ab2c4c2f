import Foundation
import LullModel
import Testing

@testable import LullManifest

/// Reading ends with a reason, whatever is at the path.
final class ManifestFileTests {
    let folder: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/lull-manifest-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    func said(_ path: String) -> String {
        let result = ManifestReader(pluginPath: [folder]).read(path: path)
        #expect(result.manifest == nil)
        return result.diagnostics.map { $0.rendered() }.joined(separator: "\n")
            .replacingOccurrences(of: folder, with: "DIR")
    }

    @Test func `a file that is not there`() {
        #expect(
            said(folder + "/jobs.yaml") == """
                DIR/jobs.yaml: error: there is no such file
                help: go to the folder that holds `jobs.yaml`, or name the file: after the command, or with its option `--manifest`
                """)
    }

    @Test func `a file with another usual name`() throws {
        _ = try write("", to: "jobs.yml")
        #expect(
            said(folder + "/jobs.yaml") == """
                DIR/jobs.yaml: error: there is no such file
                help: there is `jobs.yml`: name that file, or rename it
                """)
    }

    @Test func `a folder`() {
        #expect(
            said(folder) == """
                DIR: error: this is a folder, not a manifest
                help: name the file in it, such as `jobs.yaml`
                """)
    }

    @Test(.timeLimit(.minutes(20))) func `a pipe that nobody writes to`() throws {
        try #require(mkfifo(folder + "/pipe", 0o644) == 0)
        #expect(
            said(folder + "/pipe") == """
                DIR/pipe: error: this is a pipe or a device, not a file
                help: write the manifest to a file and name that
                """)
    }

    @Test func `a device without an end`() {
        #expect(said("/dev/zero").hasPrefix("/dev/zero: error: this is a pipe or a device"))
    }

    @Test func `a file that everybody can write`() throws {
        let path = try write("version: 1\napps: {}\n", to: "jobs.yaml", mode: 0o666)
        #expect(
            said(path) == """
                DIR/jobs.yaml: error: every user of this machine can write this file, and so decide what is run
                help: run `chmod o-w DIR/jobs.yaml`
                """)
    }

    @Test func `a file that may not be read`() async throws {
        let path = try write("version: 1\napps: {}\n", to: "jobs.yaml", mode: 0o000)
        try #require(chmod(folder, 0o755) == 0)
        // Root may read everything, so a process of its own drops root's rights.
        await #expect(processExitsWith: .success) { [path = path as String] in
            if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
            let said = ManifestReader(pluginPath: []).read(path: path).diagnostics.map { $0.rendered() }
                .joined()
            #expect(said.hasPrefix("\(path): error: the file can't be read: permission denied"), "\(said)")
        }
    }

    @Test func `a file that is too large`() throws {
        let path = try write("", to: "jobs.yaml")
        try #require(truncate(path, off_t(Limits.manifestBytes + 1)) == 0)
        #expect(said(path).hasPrefix("DIR/jobs.yaml: error: the file is larger than 16 MiB"))
    }

    @Test func `an empty file`() throws {
        #expect(
            said(try write("", to: "jobs.yaml")).hasPrefix("DIR/jobs.yaml:1:1: error: the manifest is empty"))
    }

    @Test func `a path with a NUL in it`() {
        #expect(said(folder + "/a\0b").hasSuffix("or with its option `--manifest`"))
    }

    @Test func `a file that says it has no bytes is read to its end`() throws {
        #expect(try ManifestFile.bytes(at: "/proc/version", fileSystem: LocalFileSystem()).count > 10)
    }

    @Test func `a manifest and its plugin in real folders`() throws {
        let plugin = try write("", to: "libFeed.so", mode: 0o755)
        let path = try write(
            """
            version: 1
            apps:
              com.example.Feed:
                plugin: Feed
                usage: [ { log: libFeed.so, time: common } ]
                timezone: UTC
                tasks: { refresh: { kind: refresh } }
            """, to: "jobs.yaml")
        let result = ManifestReader(pluginPath: [folder]).read(path: path)
        #expect(result.diagnostics == [])
        #expect(result.manifest?.apps.first?.plugin == plugin)

        try #require(chmod(plugin, 0o777) == 0)
        #expect(said(path).contains("every user of this machine can write the plugin 'DIR/libFeed.so'"))
        try #require(chmod(plugin, 0o755) == 0 && chmod(folder, 0o777) == 0)
        // A user who can replace the manifest needs no plugin.
        #expect(said(path).contains("can replace what is in the folder '"))
        #expect(said(path).contains("', and so decide what is run"))
    }
}
