import Foundation
import TestSupport
import Testing

/// An app tries to change files, processes and the host outside its own folder: a real plugin under real hosts. The tests look
/// at the results.
struct OutreachTests {
    enum Host: String, CaseIterable {
        case root, rootAsNobody, rootAsRoot, rootAsHost, rootWithLittle, ordinary

        var keys: String {
            switch self {
            case .root, .ordinary: ""
            case .rootAsNobody: "user: nobody"
            case .rootAsRoot: "user: root"
            case .rootAsHost: "user: host"
            case .rootWithLittle: "limits: { read: [], write: [], network: false }"
            }
        }

        /// Only root can run hosts as root and as another user.
        static var possible: [Host] { geteuid() == 0 ? allCases : [.ordinary] }
    }

    @Test(.enabled(if: ClosedFolder.path != nil, "\(ClosedFolder.absence)"), arguments: Host.possible)
    func `an app has no effect outside of its folder, and what it may do there it can`(host: Host) throws {
        let site = try OutreachSite(host)
        let results = try site.withstand(atLeast: 50)
        let refused = results.filter { $0.key.hasPrefix("may_") && $0.value != "done" }
        #expect(refused.isEmpty, "\(refused)\n\(site.output)")
        let user = try #require(results["user"].flatMap { UInt32($0) })
        switch host {
        case .root, .rootWithLittle: #expect((0x7000_0000...0x7FFF_FFFF).contains(user))
        case .rootAsNobody: #expect(user == 65534)
        case .rootAsRoot, .rootAsHost: #expect(user == 0)
        case .ordinary: #expect(user == site.owner)
        }
    }
}

/// A site outside temporary folders, with a host's state, a file that must not be touched, and a terminal.
final class OutreachSite {
    let folder: String
    let host: OutreachTests.Host
    let owner: UInt32
    /// The fixture's name in `Tests/Fixtures/Plugins`.
    private let fixture: String
    private let terminal: Int32
    /// Shared memory that everybody may use: its key and its identifier.
    private let key = Int32.random(in: 1...Int32.max)
    private let segment: Int32

    private var file: String { folder + "/kept/file" }
    private var state: String { folder + "/state" }

    init(_ host: OutreachTests.Host, fixture: String = "Outreach") throws {
        self.host = host
        self.fixture = fixture
        owner = host == .ordinary ? (geteuid() == 0 ? 65534 : geteuid()) : 0
        folder = "\(try #require(ClosedFolder.path))/lull-test-\(UUID().uuidString)"
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        segment = shmget(key, 4096, IPC_CREAT | 0o666)
        let manager = FileManager.default
        for name in ["", "/kept", "/bin", "/plugins", "/state/apps/com.example.Other"] {
            try manager.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
        }
        for name in ["lull", "lull-worker"] {
            let program = Workshop.products.appendingPathComponent(name).path
            try manager.copyItem(atPath: program, toPath: "\(folder)/bin/\(name)")
        }
        try "kept".write(toFile: file, atomically: false, encoding: .utf8)
        _ = try Program.run("/usr/bin/env", ["setfattr", "-n", "user.kept", "-v", "kept", file])
        let secret = state + "/apps/com.example.Other/secret"
        try "secret".write(toFile: secret, atomically: false, encoding: .utf8)
        // TIOCSPTLCK and TIOCGPTN: they unlock the other end and give its number.
        var (locked, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(terminal, 0x4004_5431, &locked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
        try compile()
        try script.write(toFile: folder + "/plugins/script", atomically: false, encoding: .utf8)
        try manifest(terminal: name, secret: secret).write(
            toFile: folder + "/jobs.yaml", atomically: false, encoding: .utf8)
        guard geteuid() == 0 else { return }
        try #require(chown(name, owner, owner) == 0)
        for path in ["/kept", "/kept/file", "/state", "/state/apps", "/state/apps/com.example.Other"] {
            try #require(chown(folder + path, owner, owner) == 0)
        }
        try #require(chmod(folder + "/state", 0o700) == 0 && chmod(secret, 0o600) == 0)
        try #require(chown(secret, owner, owner) == 0)
    }

    deinit {
        close(terminal)
        _ = shmctl(segment, IPC_RMID, nil)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func compile() throws {
        let fixtures = Workshop.root.appendingPathComponent("Tests/Fixtures/Plugins")
        let header = Workshop.root.appendingPathComponent("Sources/C/CLullPlugin/include").path
        let result = try Program.run(
            "/usr/bin/env",
            [
                "gcc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                "-pthread",
                "-I", header, fixtures.appendingPathComponent("\(fixture).c").path, "-o",
                folder + "/plugins/libOutreach.so",
            ])
        try #require(result.status == 0, "\(result.error)")
    }

    private func manifest(terminal: String, secret: String) -> String {
        """
        version: 1
        apps:
          com.example.Outreach:
            plugin: Outreach
            idle_after: never
            \(host.keys)
            settings:
              file: \(file)
              state: \(state)/history.sqlite
              secret: \(secret)
              terminal: \(terminal)
              script: \(folder)/plugins/script
              number: "\(key)"
            tasks:
              all: { kind: processing, repeat: 1d, time_limit: 5m, requires: { idle: false } }

        """
    }

    /// Everyday changes of files' modes, owners and times, in the app's own folder.
    private let script = """
        rm -rf work && mkdir work && cd work
        echo a > file && chmod 640 file && touch -d 2001-02-03 file
        mkdir -p folder/below && echo b > folder/below/file && chmod 750 folder && ln -s file link
        tar cf all.tar file folder link && mkdir tar && tar xpf all.tar -C tar
        test "$(stat -c '%a %Y' tar/file)" = "$(stat -c '%a %Y' file)"
        cp -a folder copy && cp -p file copied && test "$(stat -c '%a %Y' copied)" = "$(stat -c '%a %Y' file)"
        install -m 751 file installed && test "$(stat -c %a installed)" = 751
        gzip -k file && test "$(stat -c '%a %Y' file.gz)" = "$(stat -c '%a %Y' file)"
        if command -v rsync; then rsync -a folder/ synced/ && test "$(stat -c %a synced)" = 750; fi
        if command -v git; then
            export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
            git init -q repository
            git -C repository -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
            git clone -q repository clone && git -C clone fetch -q
        fi
        sed -i s/a/b/ file && mv file moved && sort -o moved moved
        nice -n 1 true && ionice -c 3 true

        """

    /// Runs one pass of the host.
    func pass() throws -> Program.Result {
        let lull = [
            folder + "/bin/lull", "run", "--once", folder + "/jobs.yaml", "--state", state, "--plugins",
            folder + "/plugins",
        ]
        if geteuid() != owner {
            let become = ["--reuid=\(owner)", "--regid=\(owner)", "--clear-groups"]
            return try Program.run("/usr/bin/setpriv", become + lull, in: folder)
        }
        return try Program.run(lull[0], Array(lull.dropFirst()), in: folder)
    }

    /// The observable state of the file: mode, owner, times, content, attributes.
    func look() throws -> [String] {
        var status = stat()
        try #require(lstat(file, &status) == 0)
        return [
            "\(status.st_mode) \(status.st_uid) \(status.st_gid) \(status.st_nlink)",
            "\(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)",
            try Program.run("/usr/bin/env", ["getfattr", "-d", file]).output,
            try String(contentsOfFile: file, encoding: .utf8),
        ]
    }

    /// The names in the file's folder.
    var beside: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/kept")) ?? []).sorted()
    }

    /// Runs a pass, and expects more than `count` attempts, none of which changed anything outside or did anything forbidden.
    /// Returns the result of each act.
    func withstand(atLeast count: Int) throws -> [String: String] {
        let before = try look()
        let pass = try pass()
        #expect(pass.status == 0, "\(pass.output)\(pass.error)")
        let results = try results()
        #expect(try look() == before)
        #expect(results["host"] == "unchanged")
        let done = results.filter { $0.key.hasPrefix("a_") && $0.value == "done" }
        #expect(done.isEmpty, "\(done.keys.sorted())")
        #expect(results.count > count)
        return results
    }

    func results() throws -> [String: String] {
        let text = try String(
            contentsOfFile: state + "/apps/com.example.Outreach/results", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1].dropFirst())) })
    }

    /// The output of the script.
    var output: String {
        (try? String(contentsOfFile: state + "/apps/com.example.Outreach/output", encoding: .utf8)) ?? ""
    }
}
