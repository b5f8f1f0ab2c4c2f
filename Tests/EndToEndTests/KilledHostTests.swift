import Foundation
import TestSupport
import Testing

/// `kill -9` of the real host: no process of its apps is left, whatever they did to escape.
struct KilledHostTests {
    /// The user that the host runs as, and the app's `user`.
    static let identities: [[String]] =
        geteuid() == 0 && getpwnam("nobody") != nil
        ? [["", ""], ["", "nobody"], ["nobody", ""]] : [["", ""]]

    @Test(arguments: identities)
    func `of a killed host's apps nothing is left within two seconds`(identity: [String]) throws {
        let workshop = try Workshop()
        try workshop.compile("Families", as: "Families")
        let names = ["quiet", "time", "hopper", "hidden"].map { ($0, "g" + UUID().uuidString.prefix(8)) }
        var text =
            "version: 1\ndefaults: { idle_after: never, keep_warm: 1h, requires: { idle: false } }\napps:\n"
        for (task, name) in names {
            let user = identity[1].isEmpty ? "" : "user: \(identity[1]), "
            text +=
                "  com.example.\(task): { plugin: Families, \(user)settings: { name: \(name) }, "
                + "tasks: { \(task): { kind: processing } } }\n"
        }
        try workshop.write(text, to: "jobs.yaml")
        let host = try start(workshop, as: identity[0])
        for (task, name) in names {
            while !host.said.contains("discovered com.example.\(task)\n") { try host.readLine() }
            #expect(try workshop.lull("submit", "com.example.\(task).\(task)").status == 0)
            while !host.said.contains("completed com.example.\(task).\(task)") { try host.readLine() }
            #expect(living(name, until: { $0 > 0 }), "\(task) has started nothing")
        }
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)
        for (task, name) in names {
            #expect(living(name, until: { $0 == 0 }), "of \(task) something is left")
        }
    }

    /// A host that can't record anything starts nothing, and names the limit that stops it.
    @Test(.enabled(if: geteuid() == 0 && getpwnam("bin") != nil, "needs root and a user who does nothing"))
    func `a host that may have no thread says which limit that is, and ends`() throws {
        let workshop = try Workshop()
        try workshop.write("version: 1\napps: {}\n", to: "jobs.yaml")
        let host = try start(workshop, as: "bin", through: ["prlimit", "--nproc=1"])
        #expect(host.end() == 1)
        #expect(
            host.said.contains("this user has 1 processes and threads, and the limit is 1"), "\(host.said)")
        #expect(host.said.contains("`ulimit -u`"), "\(host.said)")
    }

    private func start(_ workshop: Workshop, as user: String, through: [String] = []) throws -> Program {
        guard !user.isEmpty else { return try workshop.start("run", "jobs.yaml") }
        // That user may not be able to reach the build's products.
        let own = workshop.folder + "/bin"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for name in ["lull", "lull-worker"] {
            try FileManager.default.copyItem(
                atPath: Workshop.products.appendingPathComponent(name).path, toPath: own + "/" + name)
        }
        _ = try Program.run("/bin/chown", ["-R", user, workshop.folder])
        return try Program(
            "/usr/bin/env",
            [
                "setpriv", "--reuid=\(user)", "--regid=\(user == "nobody" ? "nogroup" : user)",
                "--clear-groups",
            ]
                + through + [own + "/lull", "run", "jobs.yaml", "--state", workshop.state]
                + ["--plugins", workshop.folder + "/plugins"], in: workshop.folder)
    }

    /// Waits until the number of living processes with this name satisfies `isSo`; false if it never does.
    private func living(_ name: some StringProtocol, until isSo: (Int) -> Bool) -> Bool {
        let script = """
            for i in $(seq 6000); do
                n=$(grep -l -s -x \(name) /proc/[0-9]*/comm | sed s,comm,status, | xargs -r grep -L -s "^State:.Z" | wc -l)
                [ "$n" \(isSo(0) ? "-eq" : "-gt") 0 ] && break
                sleep 0.1
            done
            echo $n
            """
        let output = try? Program.run("/bin/sh", ["-c", script]).output
        return output.flatMap { Int($0.filter(\.isNumber)) }.map(isSo) ?? false
    }
}
