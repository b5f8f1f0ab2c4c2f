import Foundation
import TestSupport
import Testing

/// The systemd units, as systemd judges them.
struct UnitTests {
    /// Whether systemd-analyze can judge files here.
    private static let isJudged: Bool = {
        let help = try? Program.run("/usr/bin/env", ["systemd-analyze", "security", "--help"])
        return help?.output.contains("--offline") == true
    }()

    @Test(arguments: [
        "make-deb", "test-deb", "test-units", "third-party", "install", "uninstall", "debian/postinst",
        "debian/prerm", "debian/postrm",
    ])
    func `each script of the packaging is one that its shell understands`(name: String) throws {
        let path = Workshop.root.appendingPathComponent("packaging/" + name).path
        let first = try String(contentsOfFile: path, encoding: .utf8).prefix { $0 != "\n" }
        let shell = first.hasSuffix("bash") ? "bash" : "sh"
        let result = try Program.run("/usr/bin/env", [shell, "-n", path])
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(arguments: ["lull.service.in", "lull-user.service.in"])
    func `a start that takes long is not begun anew for ever`(name: String) throws {
        let text = try String(
            contentsOf: Workshop.root.appendingPathComponent("packaging/" + name), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.contains("Type=notify"))
        #expect(lines.contains("TimeoutStartSec=infinity"))
    }

    @Test(.enabled(if: isJudged, "needs systemd-analyze, from Debian's package systemd"))
    func `the units are sound, and no more exposed than is stated`() throws {
        let workshop = try Workshop()
        let prefix = workshop.folder + "/usr"
        let files = [
            "lull.service.in": "lib/systemd/system/lull.service",
            "lull-user.service.in": "lib/systemd/user/lull.service",
            "lull.socket.in": "lib/systemd/system/lull.socket",
            "strict.conf.in": "share/lull/strict.conf",
        ]
        for (source, name) in files {
            let text = try String(
                contentsOf: Workshop.root.appendingPathComponent("packaging/" + source), encoding: .utf8)
            let folder = URL(fileURLWithPath: prefix + "/" + name).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try workshop.write(text.replacingOccurrences(of: "@PREFIX@", with: prefix), to: "usr/" + name)
        }
        try FileManager.default.createDirectory(
            atPath: prefix + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: prefix + "/bin/lull", withDestinationPath: Workshop.products.path + "/lull")
        let result = try Program.run(
            Workshop.root.appendingPathComponent("packaging/test-units").path, [prefix])
        #expect(result.status == 0, "\(result.output)\(result.error)")
        #expect(result.output.contains("strict: Overall exposure"), "\(result.output)")
    }
}
