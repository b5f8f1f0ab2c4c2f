import LullModel
import Testing

@testable import LullManifest

/// A machine with one plugin, one log and a few zones.
let machine = FixedFileSystem(
    currentFolder: "/home/me",
    entries: [
        "/usr/lib/lull": FileEntry(.folder, realPath: "/usr/lib/lull"),
        "/usr/lib/lull/libColorFeed.so": FileEntry(.file, realPath: "/usr/lib/lull/libColorFeed.so"),
        "/usr/lib/lull/libCommand.so": FileEntry(.file, realPath: "/usr/lib/lull/libCommand.so"),
        "/usr/lib/lull/Plain.so": FileEntry(.file, realPath: "/usr/lib/lull/Plain.so"),
        "/usr/lib/lull/libOpen.so":
            FileEntry(.file, realPath: "/usr/lib/lull/libOpen.so", stranger: .everybody),
        "/usr/lib/lull/libShared.so":
            FileEntry(.file, realPath: "/usr/lib/lull/libShared.so", stranger: .group("staff")),
        "/usr/lib/lull/libHers.so":
            FileEntry(.file, realPath: "/usr/lib/lull/libHers.so", stranger: .owner("feed")),
        "/usr/lib/lull/libFar.so": FileEntry(.file, realPath: "/srv/feed/libFar.so"),
        "/srv/feed": FileEntry(.folder, realPath: "/srv/feed", stranger: .owner("feed")),
        "/usr/lib/lull/libSecret.so":
            FileEntry(.file, realPath: "/usr/lib/lull/libSecret.so", isReadable: false),
        "/usr/lib/lull/libFolder.so": FileEntry(.folder, realPath: "/usr/lib/lull/libFolder.so"),
        "/usr/lib/lull/libPipe.so": FileEntry(.other, realPath: "/usr/lib/lull/libPipe.so"),
        "/usr/lib/lull/libLink.so": FileEntry(.file, realPath: "/srv/open/libLink.so"),
        "/srv/open": FileEntry(.folder, realPath: "/srv/open", stranger: .everybody),
        "/tmp": FileEntry(.folder, realPath: "/tmp", stranger: .everybody, isSticky: true),
        "/tmp/x.so": FileEntry(.file, realPath: "/tmp/x.so"),
        "/home/me/jobs.d": FileEntry(.folder, realPath: "/home/me/jobs.d"),
        "/home/me/mine.so": FileEntry(.file, realPath: "/home/me/mine.so"),
        "/var/log/access.log": FileEntry(.file, realPath: "/var/log/access.log"),
        "/var/log/secret.log": FileEntry(.file, realPath: "/var/log/secret.log", isReadable: false),
        "/var/log": FileEntry(.folder, realPath: "/var/log"),
        "/zones": FileEntry(.folder, realPath: "/zones"),
        "/zones/Europe": FileEntry(.folder, realPath: "/zones/Europe"),
        "/zones/Europe/Berlin": FileEntry(.file, realPath: "/zones/Europe/Berlin"),
        "/zones/Europe/Paris": FileEntry(.file, realPath: "/zones/Europe/Paris"),
        "/zones/America": FileEntry(.folder, realPath: "/zones/America"),
        "/zones/America/New_York": FileEntry(.file, realPath: "/zones/America/New_York"),
        "/zones/CET": FileEntry(.file, realPath: "/zones/CET"),
        "/zones/tzdata.zi": FileEntry(.file, realPath: "/zones/tzdata.zi"),
    ])

func read(_ bytes: [UInt8], on machine: FixedFileSystem = machine) -> ManifestResult {
    ManifestReader(pluginPath: ["/usr/lib/lull", "/opt/lull"], fileSystem: machine, zoneFolder: "/zones")
        .read(text: bytes, path: "jobs.yaml")
}

/// A manifest, and its diagnostics word by word.
struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let says: String

    var testDescription: String { name }

    init(_ name: String, _ text: String, says: String = "") {
        self.init(name, bytes: Array(text.utf8), says: says)
    }

    /// `text` stands for the keys of a task, from line 8 on.
    init(_ name: String, task text: String, says: String = "") {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(name, app: "tasks:\n  r:\n" + lines.map { "    " + $0 }.joined(separator: "\n"), says: says)
    }

    /// `text` stands for the keys of an app, after its plugin and its usage, from line 6 on.
    init(_ name: String, app text: String, says: String = "") {
        let start = "version: 1\napps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(name, start + lines.map { "    " + $0 + "\n" }.joined(), says: says)
    }

    init(_ name: String, bytes: [UInt8], says: String) {
        self.name = name
        self.bytes = bytes
        self.says = says
    }

    func check() {
        let result = read(bytes)
        #expect(result.diagnostics.map { $0.rendered() }.joined(separator: "\n") == says)
        #expect((result.manifest == nil) == result.diagnostics.contains { $0.severity == .error })
    }
}
