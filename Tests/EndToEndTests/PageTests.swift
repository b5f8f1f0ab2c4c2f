import Foundation
import TestSupport
import Testing

/// `lull run --http`: the page of a real host, on a port that the kernel chooses.
struct PageTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            idle_after: never
            tasks:
              succeed: { kind: processing, requires: { idle: false } }
              talk: { kind: processing, requires: { idle: false } }
        """

    private func workshop() throws -> Workshop {
        let workshop = try Workshop(tasks: Self.manifest)
        return workshop
    }

    private func start(_ workshop: Workshop, _ address: String = "127.0.0.1:0") throws -> (
        Program, PageClient
    ) {
        let host = try workshop.start("run", "jobs.yaml", "--http", address)
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        try host.waitForLine(containing: "discovered com.example.App")
        return (host, page)
    }

    @Test func `the page shows what the commands say, and launches with the token alone`() throws {
        let workshop = try workshop()
        let (host, page) = try start(workshop)
        let root = try page.get("/")
        #expect(root.status == 200)
        #expect(root.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(root.headers["cache-control"] == "no-store")
        #expect(try page.get("/", host: "evil.example").status == 403)

        let status = try page.get("/api/status").body
        #expect(status.contains("\"task\":\"com.example.App.succeed\""), "\(status)")
        let why = try page.get("/api/tasks/com.example.App.succeed").body
        #expect(
            why.contains("\"headline\":\"com.example.App.succeed waits: "), "\(why)"
        )
        #expect(try page.get("/api/tasks/com.example.App.nobody").status == 404)

        let launch = "/api/tasks/com.example.App.talk/launch"
        #expect(try page.post(launch, authorized: false).status == 401)
        let told = try page.live()
        try told("event: changed")
        #expect(try page.post(launch).body == "{\"done\":true,\"message\":\"Launched as run 1.\",\"run\":1}")
        try told("event: changed")
        try host.waitForLine(containing: "completed com.example.App.talk")

        #expect(try page.get("/api/runs/1/output").status == 401)
        let output = try page.get("/api/runs/1/output", authorized: true).body
        #expect(output.contains("\"run\":1"), "\(output)")
        #expect(try page.get("/api/timeline?span=day").body.contains("Ran once"))
        let metrics = try page.get("/metrics")
        #expect(metrics.headers["content-type"]?.hasPrefix("application/openmetrics-text") == true)
        #expect(metrics.body.hasSuffix("# EOF\n"))
        #expect(metrics.body.contains("outcome=\"succeeded\"} 1\n"), "\(metrics.body)")

        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a port that is taken keeps no host from running, and is had once it is free`() throws {
        let workshop = try workshop()
        let (first, page) = try start(workshop)
        let other = try self.workshop()
        let host = try other.start("run", "jobs.yaml", "--http", "127.0.0.1:\(page.port)")
        let line = try host.waitForLine(containing: "another program listens on 127.0.0.1:\(page.port)")
        #expect(line.contains("the host goes on"), "\(line)")
        _ = try host.waitForLine(containing: "Lull runs")
        let status = try other.lull("status").output
        #expect(status.contains("another program listens on 127.0.0.1:\(page.port)"), "\(status)")
        first.send(SIGTERM)
        #expect(first.end() == 0)
        let own = try PageClient(line: host.waitForLine(containing: "The page is at"))
        #expect(own.port == page.port)
        #expect(try own.get("/api/status").status == 200)
        #expect(try !other.lull("status").output.contains("another program listens"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a host without lull-page goes on, and says how one gets it`() throws {
        let workshop = try workshop()
        let lull = workshop.folder + "/lull"
        try FileManager.default.copyItem(
            atPath: Workshop.products.appendingPathComponent("lull").path, toPath: lull)
        let state = ["--state", workshop.state, "--plugins", workshop.folder + "/plugins"]
        let host = try Program(
            lull, ["run", "jobs.yaml", "--http", "127.0.0.1:0"] + state, in: workshop.folder,
            environment: ["LULL_WORKER": Workshop.products.appendingPathComponent("lull-worker").path])
        let missing = "This needs lull-page, which is neither in \(workshop.folder) nor in ../libexec/lull."
        let line = try host.waitForLine(containing: missing)
        #expect(line.contains("`make install`") && line.contains("the host goes on"), "\(line)")
        try host.waitForLine(containing: "discovered com.example.App")
        #expect(try workshop.lull("status").output.unwrapped.contains(missing))
        let web = try Program.run(lull, ["web"] + state, in: workshop.folder)
        #expect(web.status == 1 && web.error.contains(missing), "\(web.error)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    /// A socket from a service manager, on the third descriptor, as in sd_listen_fds(3).
    @Test func `a given socket is nobody else's while the page begins anew`() throws {
        let given = """
            BEGIN { $^F = 9 } use Socket; use POSIX (); socket(S, AF_INET, SOCK_STREAM, 0);
            bind(S, pack_sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 9); POSIX::dup2(fileno(S), 3);
            $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1; exec @ARGV
            """
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml", through: ["perl", "-e", given])
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        for process in try pages(of: host.process.processIdentifier) { kill(process, SIGKILL) }
        // A request in the meantime waits for the next page process.
        #expect(try page.get("/api/status").status == 200)
        #expect(try PageClient(line: host.waitForLine(containing: "The page is at")).token == page.token)
        #expect(host.said.contains("its process has ended"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    private func pages(of host: Int32) throws -> [Int32] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host)/task")
        let children = try threads.flatMap {
            try String(contentsOfFile: "/proc/\(host)/task/\($0)/children", encoding: .utf8)
                .split(separator: " ").compactMap { Int32($0) }
        }
        let pages = try children.filter {
            try String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8).contains("--beside-host")
        }
        #expect(pages.count == 1)
        return pages
    }

    @Test func `an address that others can reach needs to be meant`() throws {
        let workshop = try workshop()
        let refused = try workshop.lull("run", "jobs.yaml", "--http", "0.0.0.0:0")
        #expect(refused.status == 1)
        #expect(refused.error.contains("--http-open"), "\(refused.error)")
        #expect(try workshop.lull("run", "jobs.yaml", "--http", "example.org:80").status == 64)
    }

    @Test func `what is no HTTP harms neither the page nor the host`() throws {
        let workshop = try workshop()
        let (host, page) = try start(workshop)
        let zero = "\u{0}"
        for garbage in [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n: \r\nHost\r\n\r\n", "\(zero)\(zero)\r\n\r\n",
            "POST /api/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n7fffffffffffffff\r\n",
            "GET /%zz%00/..%2f..?%=& HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /" + String(repeating: "a", count: 100_000)
                + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        ] {
            let socket = try page.begin(garbage)
            close(socket)
        }
        #expect(try page.get("/api/status").status == 200)
        #expect(!host.said.contains("has ended"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `who dribbles, floods or does not read keeps nobody from the page`() throws {
        let workshop = try workshop()
        let alone = try workshop.start("web", "--http", "127.0.0.1:0")
        let page = try PageClient(line: alone.waitForLine(containing: "The page is at"))
        let long = String(repeating: "a", count: 100_000)
        #expect(try page.send("GET /" + long + " HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 414 "))
        #expect(try page.send("GET / HTTP/1.1\r\nX: " + long + "\r\n\r\n").hasPrefix("HTTP/1.1 431 "))

        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        func isServed() throws {
            #expect(try page.get("/api/status").status == 200)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(alone.process.processIdentifier)/fd")
            #expect(files.count < 256, "\(files.count) open files")
        }
        // More connections than the page has places for, each with an unfinished request.
        let begun = ["", "GET / HT", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
        for number in 0..<240 {
            sockets.append(try page.open(begun[number % begun.count]))
            if number % 60 == 59 { try isServed() }
        }
        for _ in 0..<8 { sockets.append(try page.open("GET /" + String(repeating: "a", count: 1 << 20))) }
        // Hundreds of requests at once: the page answers the first and drops the others.
        let asked = "GET /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in 0..<16 { sockets.append(try page.open(String(repeating: asked, count: 500))) }
        let answers = try page.send(String(repeating: asked, count: 100))
        #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 2)
        #expect(answers.contains("Connection: close\r\n"))
        try isServed()
        alone.send(SIGTERM)
        #expect(alone.end() == -SIGTERM)
    }

    @Test func `the page of a state whose host has ended says so`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("run", "--once", "jobs.yaml").status == 0)
        let alone = try workshop.start("web", "--http", "127.0.0.1:0")
        let page = try PageClient(line: alone.waitForLine(containing: "The page is at"))
        #expect(try page.get("/api/status").status == 200)
        let refused = try page.post("/api/tasks/com.example.App.talk/launch")
        #expect(refused.status == 409)
        #expect(refused.body.contains("Start one with `lull run`"), "\(refused.body)")
        #expect(try page.get("/metrics").body.contains("lull_runs"))
        alone.send(SIGTERM)
        #expect(alone.end() == -SIGTERM)
    }
}
