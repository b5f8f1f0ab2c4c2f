import Foundation
import TestSupport
import Testing

/// Debian's own cron, started in namespaces of its own on crontabs of a test. It runs the `@reboot` lines of those that it takes.
struct DebianCron {
    static let absence: Comment = "root, unshare, and Debian's package `cron` are needed"
    static let isThere: Bool = {
        let files = FileManager.default
        // cronie's package has another name for its daemon.
        return getuid() == 0 && ["/usr/sbin/cron", "/usr/bin/crontab"].allSatisfy(files.isExecutableFile)
            && (try? Command.run(["unshare", "--mount", "--pid", "--fork", "--mount-proc", "true"])) != nil
    }()

    /// The command and input that cron gave one job.
    struct Run: Hashable, CustomStringConvertible {
        var command: String
        var input: String
        /// The variables that begin with `V`.
        var variables: [String]

        var description: String { "\(command.debugDescription) < \(input.debugDescription) \(variables)" }
    }

    private let folder: TemporaryFolder

    /// The path of a shell that records its input, for the first line of a crontab.
    var shell: String { folder.path + "/shell" }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["cron.d", "spool", "runs"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        try folder.file("crontab", "")
        try folder.file(
            "shell",
            """
            #!/bin/sh
            exec > \(folder.path)/runs/$$
            printf '%s\\0' "$2"
            cat
            printf '\\0'
            cat /proc/$$/environ

            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shell)
    }

    /// The runs of each file of `/etc/cron.d`; each file sets `V_FILE` to its own name.
    func runs(of files: [(name: String, bytes: [UInt8])]) throws -> [String: [Run]] {
        for file in files { try write(file.bytes, "cron.d/" + file.name) }
        try write(Array("SHELL=\(shell)\nV_FILE=last\n@reboot root last\n".utf8), "cron.d/last")
        // Its children are gone, and it sleeps until the next minute, when all is done.
        let script = """
            mount --bind \(folder.path)/cron.d /etc/cron.d && mount --bind \(folder.path)/crontab /etc/crontab &&
            mount --bind \(folder.path)/spool /var/spool/cron && mkdir -p /var/spool/cron/crontabs &&
            mount -t tmpfs none /run || exit
            env -i PATH=/usr/bin:/bin /usr/sbin/cron -f -L 0 & pid=$!
            until grep -rqs V_FILE=last \(folder.path)/runs &&
                grep -q '^State:.S' /proc/$pid/status && ! grep -q . /proc/$pid/task/$pid/children
            do
                kill -0 $pid || exit
                sleep 0.05
            done
            kill $pid
            """
        try Command.run(["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script])
        var runs: [String: [Run]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/runs") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/runs/" + name))
            let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let variables = parts.dropFirst(2).filter { $0.hasPrefix("V") }
            let file = variables.first { $0.hasPrefix("V_FILE=") }?.dropFirst("V_FILE=".count) ?? ""
            let run = Run(
                command: parts[0], input: parts[1],
                variables: variables.filter { !$0.hasPrefix("V_FILE=") }.sorted())
            runs[String(file), default: []].append(run)
        }
        return runs
    }

    /// Whether `crontab -n` takes the file as a user's crontab.
    func takes(_ bytes: [UInt8]) throws -> Bool {
        try write(bytes, "user")
        return (try? Command.run(["crontab", "-n", folder.path + "/user"])) != nil
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
}
