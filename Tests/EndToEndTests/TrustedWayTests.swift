import Foundation
import TestSupport
import Testing

/// Lull uses exactly what it has judged: along the whole path to a plugin, a manifest and the worker, and in the state folder.
struct TrustedWayTests {
    /// `open/sub` with a plugin, and `open/evil` with a plugin of the same name that leaves a mark when it is loaded.
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        for name in ["open/sub", "open/evil"] {
            try FileManager.default.createDirectory(
                atPath: workshop.folder + "/" + name, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        try workshop.compile("Tasks", as: "Plugin")
        try FileManager.default.copyItem(
            atPath: workshop.folder + "/plugins/libPlugin.so",
            toPath: workshop.folder + "/open/sub/libPlugin.so")
        try workshop.write(
            """
            #include <fcntl.h>
            __attribute__((constructor)) static void mark(void) { open("\(workshop.folder)/mark", O_CREAT | O_RDWR, 0600); }
            """, to: "evil.c")
        let built = try Program.run(
            "/usr/bin/env",
            ["gcc", "-shared", "-fPIC", "-o", "open/evil/libPlugin.so", "evil.c"], in: workshop.folder)
        try #require(built.status == 0, "\(built.error)")
        try workshop.write(Self.manifest(plugin: "open/sub/libPlugin.so"), to: "jobs.yaml")
        return workshop
    }

    private static func manifest(plugin: String, keys: String = "") -> String {
        """
        version: 1
        \(keys)
        apps:
          com.example.App:
            plugin: \(plugin)
            idle_after: never
            keep_warm: 0s
            tasks:
              succeed: { kind: processing, requires: { idle: false } }

        """
    }

    private func open(_ folder: String, mode: mode_t) throws { try #require(chmod(folder, mode) == 0) }

    @Test func `a folder further up that anybody can write is no way to a plugin, and is named`() throws {
        let workshop = try workshop()
        let open = workshop.folder + "/open"
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        try self.open(open, mode: 0o777)
        for arguments in [["check"], ["launch", "com.example.App.succeed"]] {
            let result = try workshop.lull(arguments)
            #expect(result.status == 1, "\(result.output)")
            #expect(
                result.error.contains(
                    "every user of this machine can replace what is in the folder '\(open)'"),
                "\(result.error)")
            #expect(result.error.contains("`chmod o-w \(open)`"), "\(result.error)")
        }
        // In a sticky folder like /tmp only its owner can replace a name.
        try self.open(open, mode: 0o1777)
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
    }

    /// The attacker is another user, who exchanges the plugin's folder with his own as fast as possible.
    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func `however fast its folder is exchanged, no other plugin is loaded`() throws {
        let workshop = try workshop()
        let folder = workshop.folder
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        for name in ["open/evil", "open/evil/libPlugin.so"] {
            try #require(chown(folder + "/" + name, nobody, 0) == 0)
        }
        try workshop.write(
            """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <stdio.h>
            int main(void) {
                for (;;) renameat2(AT_FDCWD, "open/sub", AT_FDCWD, "open/evil", RENAME_EXCHANGE);
            }
            """, to: "exchange.c")
        let built = try Program.run("/usr/bin/env", ["gcc", "-o", "exchange", "exchange.c"], in: folder)
        try #require(built.status == 0, "\(built.error)")
        try open(folder + "/open", mode: 0o777)
        let attacker = Process()
        attacker.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        attacker.arguments = ["--reuid=\(nobody)", "--regid=65534", "--clear-groups", "./exchange"]
        attacker.currentDirectoryURL = URL(fileURLWithPath: folder)
        try attacker.run()
        defer {
            kill(attacker.processIdentifier, SIGKILL)
            attacker.waitUntilExit()
        }
        for _ in 0..<20 {
            let result = try workshop.lull("launch", "com.example.App.succeed")
            // Depending on the moment, Lull refuses the folder that anybody can write, or the attacker's plugin.
            let isFolder = result.error.contains("'\(folder)/open")
            let isPlugin = result.error.contains("belongs to 'nobody', who can therefore run code as you")
            #expect(result.status == 1 && (isFolder || isPlugin), "\(result.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder + "/mark"))
    }

    @Test func `a manifest and what it includes are judged by the whole way to them`() throws {
        let workshop = try workshop()
        let (folder, open) = (workshop.folder, workshop.folder + "/open")
        try workshop.write(Self.manifest(plugin: "../../plugins/libPlugin.so"), to: "open/sub/jobs.yaml")
        for include in ["open/sub/jobs.yaml", "open/sub/*.yaml", "link/jobs.yaml"] {
            try workshop.write("version: 1\ninclude: [\"\(include)\"]\n", to: "including.yaml")
            let link = folder + "/link"
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "open/sub")
            try self.open(open, mode: 0o755)
            for file in ["open/sub/jobs.yaml", "link/jobs.yaml", "including.yaml"] {
                let fine = try workshop.lull("check", file)
                #expect(fine.status == 0, "\(include): \(fine.error)")
            }
            try self.open(open, mode: 0o777)
            for file in ["open/sub/jobs.yaml", "link/jobs.yaml", "including.yaml"] {
                let result = try workshop.lull("check", file)
                #expect(
                    result.status == 1
                        && result.error.contains("in the folder '\(open)', and so decide what is run"),
                    "\(include): \(result.error)")
            }
        }
    }

    @Test func `a worker that others could exchange is not run`() throws {
        let workshop = try workshop()
        let folder = workshop.folder
        let link = folder + "/open/lull-worker"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: Workshop.products.appendingPathComponent("lull-worker").path)
        func launch() throws -> Program.Result {
            try Program.run(
                "/usr/bin/env",
                [
                    "LULL_WORKER=\(link)", Workshop.products.appendingPathComponent("lull").path, "launch",
                    "com.example.App.succeed", "--state", workshop.state, "--plugins", folder + "/plugins",
                ], in: folder)
        }
        try workshop.write(Self.manifest(plugin: "Plugin"), to: "jobs.yaml")
        let fine = try launch()
        #expect(fine.status == 0, "\(fine.error)")
        try open(folder + "/open", mode: 0o777)
        let result = try launch()
        #expect(
            result.status == 1
                && result.error.contains(
                    "in the folder '\(folder)/open', and so decide what runs the plugins"),
            "\(result.error)")
    }

    @Test func `a state that was prepared is refused by all that writes or reads it`() throws {
        let workshop = try workshop()
        let precious = workshop.folder + "/precious"
        try workshop.write("precious", to: "precious")
        let commands = [
            ["run", "--once"], ["launch", "com.example.App.succeed"], ["status"], ["history"],
            ["used", "com.example.App"],
        ]
        for name in ["seen", "seen.new", "history.sqlite", "history.sqlite-shm", "lock", "control.sock"] {
            for isPipe in [false, true] {
                let path = workshop.state + "/" + name
                try FileManager.default.createDirectory(
                    atPath: workshop.state, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o755])
                if isPipe {
                    try #require(mkfifo(path, 0o600) == 0)
                } else {
                    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: precious)
                }
                for command in commands {
                    let result = try workshop.lull(command)
                    #expect(
                        result.status == 1
                            && result.error.contains("'\(name)' in it is a \(isPipe ? "pipe" : "link")"),
                        "\(command): \(result.error)")
                }
                try FileManager.default.removeItem(atPath: workshop.state)
            }
        }
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious")
    }

    @Test func `a state that others can write is refused with the remedy, and one behind a link works`()
        throws
    {
        let workshop = try workshop()
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/real", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        try FileManager.default.createSymbolicLink(atPath: workshop.state, withDestinationPath: "real")
        let fine = try workshop.lull("launch", "com.example.App.succeed")
        #expect(fine.status == 0, "\(fine.error)")
        var status = stat()
        #expect(stat(workshop.state + "/seen", &status) == 0 && status.st_mode & 0o7777 == 0o600)
        try open(workshop.folder + "/real", mode: 0o777)
        for command in [
            ["launch", "com.example.App.succeed"], ["status"], ["history"], ["web", "--http", "0"],
        ] {
            let result = try workshop.lull(command)
            #expect(
                result.status == 1 && result.error.contains("`chmod o-w \(workshop.folder)/real`"),
                "\(command): \(result.error)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives folders away"))
    func `a link in the place of an app's folder gives nothing away`() throws {
        let workshop = try workshop()
        let victim = workshop.folder + "/victim"
        for path in [victim, workshop.state + "/apps"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        try FileManager.default.createSymbolicLink(
            atPath: workshop.state + "/apps/com.example.App", withDestinationPath: victim)
        try workshop.write(
            Self.manifest(plugin: "Plugin\n    user: nobody"), to: "jobs.yaml")
        let result = try workshop.lull("launch", "com.example.App.succeed")
        #expect(
            result.status == 1
                && result.error.contains("there is something there that is not a folder; move it away"),
            "\(result.error)")
        var status = stat()
        #expect(stat(victim, &status) == 0 && status.st_uid == 0)
    }
}
