import Foundation
import LullModel
import Testing

@testable import LullManifest

/// A manifest of several files.
struct IncludeTests {
    private static let main = """
        version: 1
        include: [jobs.d/*.yaml]
        defaults: { nice: 5 }
        apps:
          com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
        """

    private func app(_ name: String, _ more: String = "") -> String {
        "version: 1\n\(more)apps:\n  \(name): { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }\n"
    }

    private func read(
        _ texts: [String: String], _ main: String = main, folders: [String: Stranger?] = [:],
        inForce: Manifest? = nil
    ) -> ManifestResult {
        var machine = machine
        machine.texts = ["/home/me/jobs.yaml": main]
        for (name, text) in texts { machine.texts["/home/me/" + name] = text }
        for path in machine.texts.keys {
            machine.entries[path] = FileEntry(.file, realPath: path)
            let folder = Path.folder(of: path)
            machine.entries[folder] = machine.entries[folder] ?? FileEntry(.folder, realPath: folder)
        }
        for (path, stranger) in folders {
            machine.entries["/home/me/" + path] = FileEntry(
                .folder, realPath: "/home/me/" + path, stranger: stranger)
        }
        var reader = ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: machine, zoneFolder: "/zones")
        reader.inForce = { inForce }
        return reader.read(path: "jobs.yaml")
    }

    private func said(_ result: ManifestResult) -> [String] {
        result.diagnostics.map { "\($0.path):\($0.line):\($0.column): \($0.severity): \($0.message)" }
    }

    @Test(arguments: ["jobs.yaml", "./jobs.yaml", "/home/me/jobs.yaml"])
    func `a manifest that includes itself is refused`(name: String) {
        let result = read([:], "version: 1\ninclude: [\(name)]\n")
        let isWhole = name.hasPrefix("/")
        #expect(result.manifest == nil)
        #expect(said(result).first?.hasPrefix("jobs.yaml:2:11: error: ") == !isWhole, "\(said(result))")
    }

    @Test func `apps of several files are one manifest, in the order of the names`() throws {
        let result = read([
            "jobs.d/b.yaml": app("com.example.B"),
            "jobs.d/c.yaml": app("com.example.C", "defaults: { nice: 9 }\n"),
            "jobs.d/a.yml": "no manifest", "jobs.d/.d.yaml": "hidden",
        ])
        #expect(said(result).isEmpty)
        let manifest = try #require(result.manifest)
        #expect(manifest.apps.map(\.identifier.text) == ["com.example.A", "com.example.B", "com.example.C"])
        #expect(manifest.apps.map(\.file) == [nil, "jobs.d/b.yaml", "jobs.d/c.yaml"])
        #expect(manifest.apps.map(\.line) == [5, 3, 4])
        #expect(manifest.tasks.map(\.file) == [nil, "jobs.d/b.yaml", "jobs.d/c.yaml"])
        // The defaults of the main file hold everywhere, those of an included file for its own apps.
        #expect(manifest.tasks.map(\.nice) == [5, 5, 9])
        #expect(manifest.files == ["jobs.yaml", "jobs.d/b.yaml", "jobs.d/c.yaml"])
        #expect(manifest.includePatterns == ["jobs.d/*.yaml"])
    }

    @Test func `the hash changes with each of the files`() throws {
        let one = try #require(read(["jobs.d/b.yaml": app("com.example.B")]).manifest)
        let other = try #require(read(["jobs.d/b.yaml": app("com.example.B") + "# more\n"]).manifest)
        let renamed = try #require(read(["jobs.d/c.yaml": app("com.example.B")]).manifest)
        #expect(Set([one.hash, other.hash, renamed.hash]).count == 3)
    }

    @Test func `each error has its file, and all are reported`() {
        let result = read([
            "jobs.d/a.yaml": app("com.example.A"),
            "jobs.d/b.yaml":
                "version: 1\napps:\n  com.example.B: { plugin: ColourFeed, usage: manual, tasks: { com.example.A.r: { kind: refresh } } }\n",
            "jobs.d/c.yaml":
                "version: 2\ninclude: [x.yaml]\ndefaults: { retention: { events: 1d }, concurrency: { host: 2 } }\napps: {}\n",
            "jobs.d/d.yaml": "",
        ])
        #expect(result.manifest == nil)
        #expect(
            said(result) == [
                "jobs.d/a.yaml:3:3: error: the app 'com.example.A' appears twice; the first is in jobs.yaml:5",
                "jobs.d/b.yaml:3:28: error: there is no plugin 'ColourFeed'; looked for /usr/lib/lull/libColourFeed.so, "
                    + "/usr/lib/lull/ColourFeed.so",
                "jobs.d/b.yaml:3:64: error: the task 'com.example.A.r' already belongs to the app 'com.example.A', "
                    + "in jobs.yaml:5",
                "jobs.d/c.yaml:1:10: error: this lull reads manifests of version 1, not '2'",
                "jobs.d/c.yaml:2:1: error: the key 'include' is not allowed in an included file",
                "jobs.d/c.yaml:3:13: error: the key 'retention' is not allowed in the `defaults` of an included file",
                "jobs.d/c.yaml:3:53: error: `concurrency` takes a whole number, not a mapping",
                "jobs.d/c.yaml:4:1: warning: the manifest has no apps: nothing will run",
                "jobs.d/d.yaml:1:1: error: the manifest is empty",
            ])
    }

    @Test func `paths in an included file start at its own folder`() throws {
        let result = read([
            "jobs.d/b.yaml": app("com.example.B").replacingOccurrences(of: "ColorFeed", with: "./mine.so")
        ])
        #expect(said(result).first?.contains("/home/me/jobs.d/mine.so") == true, "\(said(result))")
    }

    @Test(arguments: [
        ("more.d/*.yaml", "2:11: warning: there is no folder 'more.d', so nothing is included"),
        ("more.yaml", "2:11: error: there is no file 'more.yaml'"),
        ("*/a.yaml", "2:11: error: '*/a.yaml' has a pattern in the name of a folder"),
        (
            "open/*.yaml",
            "2:11: error: every user of this machine can put files into 'open', and so decide what is run"
        ),
        (
            "hers/*.yaml",
            "2:11: error: the folder 'hers' belongs to 'feed', who can therefore decide what is run as you"
        ),
        ("open", "2:11: error: 'open' is a folder"), ("open/", "2:11: error: 'open/' names no file"),
    ])
    func `an entry that includes nothing, or what others write, is named`(pattern: String, says: String) {
        let main = Self.main.replacingOccurrences(of: "jobs.d/*.yaml", with: "\"\(pattern)\"")
        let result = read([:], main, folders: ["open": .everybody, "hers": .owner("feed")])
        #expect(said(result) == ["jobs.yaml:" + says])
        #expect((result.manifest == nil) == says.contains("error"))
    }

    @Test func `an app is needed nowhere where another file may have it, and no file twice`() throws {
        let result = read(
            ["jobs.d/b.yaml": app("com.example.B")],
            "version: 1\ninclude: [jobs.d/b.yaml, \"jobs.d/*.yaml\", \"*.yaml\"]\n")
        #expect(said(result).isEmpty)
        #expect(result.manifest?.apps.count == 1)
        #expect(result.manifest?.files == ["jobs.yaml", "jobs.d/b.yaml"])
    }

    @Test(arguments: [true, false])
    func `a pattern that matched files in force and matches none is an error`(isFolderThere: Bool) throws {
        var inForce = Manifest()
        inForce.files = [
            "/home/me/jobs.yaml", "/home/me/jobs.d/b.yaml", "jobs.d/c.yaml", "/other/jobs.d/x.yaml",
        ]
        let folders: [String: Stranger?] = isFolderThere ? ["jobs.d": nil as Stranger?] : [:]
        let result = read([:], folders: folders, inForce: inForce)
        #expect(result.manifest == nil)
        let problem = ManifestProblem.include(.vanished("jobs.d/*.yaml", count: 2))
        #expect(result.diagnostics.map(\.problem) == [problem] && problem.mayPass)
        // If one file is left, the removal may be meant.
        #expect(read(["jobs.d/c.yaml": app("com.example.C")], inForce: inForce).manifest != nil)
        // Without a manifest in force no file has vanished.
        #expect(read([:], folders: folders).manifest != nil)
    }

    @Test func `a manifest without apps never takes the place of one with some`() throws {
        var inForce = Manifest()
        inForce.apps = [App(identifier: try #require(AppIdentifier("com.example.A")), plugin: "/p.so")]
        let empty = "version: 1\napps: {}\n"
        let result = read([:], empty, inForce: inForce)
        #expect(result.manifest == nil)
        #expect(result.diagnostics.last?.problem == .sense(.lostApps(count: 1)))
        #expect(read([:], empty).manifest != nil)
    }
}

/// `lull run /etc/lull`: a folder, and real files in it.
final class ManifestFolderTests {
    private let folder: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/lull-folder-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.createDirectory(
            atPath: folder + "/jobs.d", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try Data().write(to: URL(fileURLWithPath: folder + "/feed.so"))
        chmod(folder + "/feed.so", 0o644)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ app: String, to name: String, mode: mode_t = 0o644) throws {
        let text =
            "version: 1\napps:\n  \(app): { plugin: \(folder)/feed.so, usage: manual, tasks: { r: { kind: refresh } } }\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        try #require(chmod(folder + "/" + name, mode) == 0)
    }

    private func read() -> ManifestResult { ManifestReader(pluginPath: []).read(path: folder) }

    @Test func `a folder is its jobs.yaml and the files of jobs.d`() throws {
        try write("com.example.A", to: "jobs.yaml")
        try write("com.example.B", to: "jobs.d/b.yaml")
        let manifest = try #require(read().manifest)
        #expect(manifest.path == folder)
        #expect(manifest.apps.map(\.file) == [folder + "/jobs.yaml", folder + "/jobs.d/b.yaml"])
        #expect(manifest.includePatterns == [folder + "/jobs.d/*.yaml"])
    }

    @Test func `either may be missing`() throws {
        try write("com.example.B", to: "jobs.d/b.yaml")
        #expect(read().manifest?.apps.count == 1)
        try FileManager.default.removeItem(atPath: folder + "/jobs.d")
        #expect(read().diagnostics.map(\.message) == ["this is a folder, not a manifest"])
        try write("com.example.A", to: "jobs.yaml")
        #expect(read().manifest?.apps.count == 1)
    }

    @Test func `a file or a folder that others write is refused`() throws {
        try write("com.example.A", to: "jobs.yaml")
        try write("com.example.B", to: "jobs.d/b.yaml", mode: 0o666)
        let result = read()
        #expect(result.manifest == nil)
        #expect(result.diagnostics.map(\.path) == [folder + "/jobs.d/b.yaml"])
        try write("com.example.B", to: "jobs.d/b.yaml")
        chmod(folder + "/jobs.d", 0o777)
        #expect(read().manifest == nil)
        #expect(read().diagnostics.map(\.path) == [folder + "/jobs.d"])
    }
}
