import Foundation
import TestSupport
import Testing

/// A fourth attack (`docs/attacks.md`): other calls for the same aims, and files of processes in mount namespaces of their own,
/// under every kind of host. The tests look at the files and the host afterwards.
struct RaidTests {
    @Test(arguments: OutreachTests.Host.possible)
    func `by other calls and through other mounts nothing outside is reached`(
        host: OutreachTests.Host
    ) throws {
        let site = try OutreachSite(host, fixture: "Raid")
        let elsewhere = try Elsewhere(owner: site.owner)
        let before = (try site.look(), elsewhere.look())
        let pass = try site.pass()
        #expect(pass.status == 0, "\(pass.output)\(pass.error)")
        let results = try site.results()
        #expect(try site.look() == before.0)
        #expect(elsewhere.look() == before.1)
        #expect(results["host"] == "unchanged")
        let done = results.filter { $0.key.hasPrefix("a_") && $0.value == "done" }
        #expect(done.isEmpty, "\(done.keys.sorted())")
        #expect(results.count > 80)
        #expect(site.beside == ["file"])
    }
}

/// A process of the host's user with a private /tmp, as in a container; only root can start it, so otherwise there is none.
private final class Elsewhere {
    private let process = Process()
    private let input = Pipe()

    init(owner: UInt32) throws {
        guard geteuid() == 0 else { return }
        let script = """
            mount -t tmpfs none /tmp && cd /tmp && echo kept > lull-elsewhere && chmod 600 lull-elsewhere || exit
            chown \(owner):\(owner) lull-elsewhere && exec 77<lull-elsewhere && echo ready
            exec setpriv --reuid=\(owner) --regid=\(owner) --clear-groups sh -c 'read line'
            """
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "--mount", "bash", "-c", script]
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        guard geteuid() == 0 else { return }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The file's mode and status change time, which any change to a file alters.
    func look() -> [Int] {
        var status = stat()
        guard geteuid() == 0, stat("/proc/\(process.processIdentifier)/root/tmp/lull-elsewhere", &status) == 0
        else { return [] }
        return [Int(status.st_mode), status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
