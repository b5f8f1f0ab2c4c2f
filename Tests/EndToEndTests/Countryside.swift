import Foundation
import Testing

/// Two network namespaces with a link between them: in one the host runs, in the other the server. Cutting the link is what a
/// cable that is pulled is to a machine: its route is gone, and nothing comes any more.
final class Countryside {
    private let host: Process
    private let server: Process
    static let serverAddress = "10.77.0.2"
    private static let route = ["ip", "route", "replace", "default", "via", serverAddress]

    /// Only root makes them, where the kernel has them and `ip` is installed.
    static let isPossible: Bool = {
        guard let both = try? Countryside() else { return false }
        return (try? both.setLink("up")) != nil
    }()
    static let absence: Comment = "needs root, network namespaces and iproute2"

    struct Trouble: Error { let text: String }

    init() throws {
        (host, server) = (try Self.namespace(), try Self.namespace())
        let other = "\(server.processIdentifier)"
        try run(
            host, ["ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", other])
        try run(server, ["ip", "address", "add", Self.serverAddress + "/24", "dev", "cable"])
        try run(host, ["ip", "address", "add", "10.77.0.1/24", "dev", "cable"])
        for side in [host, server] {
            try run(side, ["ip", "link", "set", "lo", "up"])
            try run(side, ["ip", "link", "set", "cable", "up"])
        }
        try run(host, Self.route)
    }

    /// A namespace lasts as long as somebody is in it.
    deinit {
        for process in [host, server] {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// What to put before a command that is to run where the host is, or the server.
    var besideHost: [String] { Self.enter(host) }
    var besideServer: [String] { Self.enter(server) }

    func cut() throws { try setLink("down") }

    func mend() throws {
        try setLink("up")
        try run(host, Self.route)
    }

    private func setLink(_ state: String) throws { try run(host, ["ip", "link", "set", "cable", state]) }

    private static func enter(_ process: Process) -> [String] {
        ["nsenter", "--target", "\(process.processIdentifier)", "--net"]
    }

    private static func namespace() throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "--net", "sh", "-c", "echo ready; exec tail -f /dev/null"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
            throw Trouble(text: "there are no network namespaces here")
        }
        return process
    }

    private func run(_ where: Process, _ command: [String]) throws {
        let result = try Program.run("/usr/bin/env", Self.enter(`where`) + command)
        guard result.status == 0 else { throw Trouble(text: result.error) }
    }
}
