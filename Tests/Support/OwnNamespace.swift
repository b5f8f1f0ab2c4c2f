import Foundation

/// Kernel namespaces in which programs have another network, host name or mounts. They last as long as this value, and need
/// root.
public final class OwnNamespace {
    private let supervisor = Process()
    private let kinds: [String]

    /// `kinds`: options of `unshare`, such as `--net`, `--uts`, `--mount`; `script` runs in the namespaces first.
    public init(_ kinds: [String], script: String = "true") throws {
        self.kinds = kinds
        supervisor.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        supervisor.arguments =
            ["unshare"] + kinds + ["sh", "-c", "\(script) && echo ready && exec tail -f /dev/null"]
        supervisor.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (supervisor.standardOutput, supervisor.standardError) = (output, errors)
        try supervisor.run()
        for pipe in [output, errors] { try pipe.fileHandleForWriting.close() }
        guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else {
            let words = try errors.fileHandleForReading.readToEnd() ?? Data()
            throw Command.Trouble(text: String(decoding: words, as: UTF8.self))
        }
    }

    deinit {
        kill(supervisor.processIdentifier, SIGKILL)
        supervisor.waitUntilExit()
    }

    /// A prefix for commands that runs them in these namespaces.
    public var enter: [String] { ["nsenter", "--target", "\(supervisor.processIdentifier)"] + kinds }

    @discardableResult
    public func run(_ command: [String]) throws -> String { try Command.run(enter + command) }

    /// A cable to another network, with this name and an address at either end.
    public func lay(_ cable: String, _ address: String, to other: OwnNamespace, _ far: String) throws {
        try run(
            ["ip", "link", "add", cable, "type", "veth", "peer", "name", cable, "netns"]
                + ["\(other.supervisor.processIdentifier)"])
        for (side, address) in [(self, address), (other, far)] {
            try side.run(["ip", "address", "add", address, "dev", cable])
            for link in ["lo", cable] { try side.run(["ip", "link", "set", link, "up"]) }
        }
    }

    /// All processes in its network but the one that keeps it alive.
    public var processes: [pid_t] {
        func network(_ process: pid_t) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/net")
        }
        guard let own = network(supervisor.processIdentifier) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter {
            $0 != supervisor.processIdentifier && network($0) == own
        }
    }
}
