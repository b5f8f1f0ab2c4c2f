import Foundation
import LullModel
import Testing

@testable import LullHost

/// The hosts that run on a machine, from a procfs that the tests make.
struct RunningHostsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "lull-\(UUID().uuidString)"
    ).resolvingSymlinksInPath().path

    /// A state folder that process 7 has locked, whose host runs `manifest`.
    private func state(_ name: String, _ manifest: String) throws -> String {
        let state = folder + "/" + name
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: state + "/lock"))
        try Data().write(to: URL(fileURLWithPath: state + "/control.sock"))
        try Data("\(manifest)\n".utf8).write(to: URL(fileURLWithPath: state + "/manifest"))
        return state
    }

    private func procfs(_ states: [String], locks: String) throws -> String {
        let procfs = folder + "/proc"
        let open = procfs + "/7/fd"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
        for (number, state) in states.enumerated() {
            try FileManager.default.createSymbolicLink(
                atPath: "\(open)/\(number + 3)", withDestinationPath: state + "/lock")
        }
        try Data(locks.utf8).write(to: URL(fileURLWithPath: procfs + "/locks"))
        return procfs
    }

    private static let held =
        "1: FLOCK  ADVISORY  WRITE 7 fd:01:12 0 EOF\n2: POSIX  ADVISORY  READ 8 fd:01:13 1 2\n"

    @Test func `the host that runs a manifest is found, wherever its state is`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (one, other) = (
            try state("one", folder + "/jobs.yaml"), try state("other", "/etc/elsewhere.yaml")
        )
        let procfs = try procfs([one, other], locks: Self.held)
        let hosts = RunningHosts(procfs: procfs) { _ in true }
        #expect(hosts.other(running: folder + "/jobs.yaml", than: "/var/lib/lull")?.state == one)
        // A folder stands for the manifest in it.
        #expect(hosts.other(running: folder, than: "/var/lib/lull")?.state == one)
        #expect(hosts.other(running: folder + "/jobs.yaml", than: one) == nil)
        #expect(hosts.other(running: folder + "/third.yaml", than: "/var/lib/lull") == nil)
    }

    @Test func `what no host answers for, or nobody holds, is none`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let one = try state("one", "/jobs.yaml")
        let silent = RunningHosts(procfs: try procfs([one], locks: Self.held)) { _ in false }
        #expect(silent.other(running: "/jobs.yaml", than: "/var/lib/lull") == nil)
        try Data("1: -> FLOCK  ADVISORY  WRITE 7 fd:01:12 0 EOF\n".utf8).write(
            to: URL(fileURLWithPath: folder + "/proc/locks"))
        for procfs in [folder + "/proc", folder + "/nothing"] {
            let hosts = RunningHosts(procfs: procfs) { _ in true }
            #expect(hosts.other(running: "/jobs.yaml", than: "/var/lib/lull") == nil)
        }
    }

    @Test func `those who do not answer keep nobody waiting one after another`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let states = try (0..<20).map { try state("\($0)", $0 < 10 ? "/jobs.yaml" : "/other.yaml") }
        var asked = 0
        let hosts = RunningHosts(procfs: try procfs(states, locks: Self.held), timeout: .zero) { _ in
            asked += 1
            return false
        }
        #expect(hosts.other(running: "/jobs.yaml", than: "/var/lib/lull") == nil)
        #expect(asked == 1)
    }

    @Test func `a folder that others may write is no state`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let one = try state("one", "/jobs.yaml")
        chmod(one, 0o1777)
        let hosts = RunningHosts(procfs: try procfs([one], locks: Self.held)) { _ in true }
        #expect(hosts.other(running: "/jobs.yaml", than: "/var/lib/lull") == nil)
    }
}
