import Foundation
import Testing

/// A host whose app transfers files, and processes of it that a test can kill.
package final class TransferBench {
    package let workshop: Workshop
    package let server: WebServer
    package let place: Countryside?
    package let app: String
    package private(set) var host: Program?
    private var lines: Program?

    package init(_ app: String = "com.example.Files", in place: Countryside? = nil, locations: String = "")
        throws
    {
        self.app = app
        self.place = place
        workshop = try Workshop()
        server = try WebServer(
            on: place == nil ? "127.0.0.1" : Countryside.serverAddress, port: place == nil ? nil : 8080,
            through: place?.besideServer ?? [], locations: locations)
    }

    deinit {
        guard let host, host.process.isRunning else { return }
        host.send(SIGKILL)
        _ = host.end()
    }

    /// The app's folder.
    package var folder: String { workshop.state + "/apps/" + app }
    package var documents: String { folder + "/Documents" }
    /// The files of transfers; empty when nothing is left.
    package var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/.transfers"))?.sorted() ?? []
    }
    /// A line for each event of the delegate.
    package var events: [String] {
        ((try? String(contentsOfFile: folder + "/events", encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
    }

    /// The events of single transfers. Whether the app also gets its session's events depends on whether it was suspended by
    /// then, and so on the machine's speed.
    package var transferEvents: [String] {
        events.filter { !$0.hasPrefix("events for ") && $0 != "finished events" }
    }

    /// Starts the host, and returns when it answers; the first time, when it knows its app.
    package func start() throws {
        let isFirst = host == nil
        let lull = Workshop.products.appendingPathComponent("lull").path
        let started = try Program(
            "/usr/bin/env",
            (place?.besideHost ?? []) + [lull, "run", "jobs.yaml", "--state", workshop.state]
                + ["--plugins", workshop.folder + "/plugins"], in: workshop.folder)
        host = started
        try started.waitForLine(containing: isFirst ? "discovered \(app)" : "Lull runs")
    }

    /// Launches a task as an operator does, so that its transfers count as requested in the foreground.
    package func launch(_ task: String) throws {
        let launch = try workshop.lull("launch", app + "." + task)
        #expect(launch.status == 0, "\(launch.output)\(launch.error)")
    }

    package func killWorker() throws {
        let workers = try children("lull-worker")
        #expect(workers.count == 1)
        for worker in workers { kill(worker, SIGKILL) }
        // A run that is launched before the host knows of the kill would crash.
        try wait { try children("lull-worker").isEmpty }
    }

    package func killHost() throws {
        let host = try #require(host)
        host.send(SIGKILL)
        #expect(host.end() == -SIGKILL)
    }

    package func stop() throws {
        let host = try #require(host)
        host.send(SIGTERM)
        #expect(host.end() == 0, "\(host.said)")
    }

    /// The host's processes of this name.
    package func children(_ name: String) throws -> [pid_t] {
        try Processes.descendants(of: #require(host).process.processIdentifier, named: name)
    }

    /// Returns when the delegate has received this event `count` times.
    package func wait(for count: Int, _ event: String) throws {
        if lines == nil {
            let file = folder + "/events"
            lines = try Program("/bin/sh", ["-c", "exec tail -n +1 -F '\(file)' >&2"], in: "/")
        }
        while events.count(where: { $0.hasPrefix(event) }) < count {
            try lines?.readLine(waitingFor: "\(event), \(count) times")
        }
    }

    /// Polls until the condition holds. Each poll runs a slow command, or reads what another process has just written.
    package func wait(_ place: SourceLocation = #_sourceLocation, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + hangLimit
        while ContinuousClock.now < end {
            if try isSo() { return }
            _ = try Program.run("/bin/sleep", ["0.05"])
        }
        Issue.record("it never came to be so: \(host?.said.suffix(2000) ?? "")", sourceLocation: place)
        throw CancellationError()
    }

    /// Stops the process that transfers during `act`, so that no transfer ends before the app is notified of the last end.
    package func whileNothingEnds(_ act: () throws -> Void) throws {
        let processes = try children("lull-transfer")
        for process in processes { kill(process, SIGSTOP) }
        defer { for process in processes { kill(process, SIGCONT) } }
        // A suspended app takes no results by itself until all transfers are over, so launch a task.
        try launch("look")
        var quiet = 0
        try wait {
            quiet = try transfers.contains("\"finished\"") ? 0 : quiet + 1
            return quiet == 2
        }
        try act()
    }

    /// The JSON of `lull transfers`.
    package var transfers: String {
        get throws { try workshop.lull("transfers", "--json").output }
    }

    /// How often an event of transfers is in the history.
    package func count(_ act: String) throws -> Int {
        let history = try workshop.lull("history", "--event", "transfer", "--json", "--limit", "0").output
        return history.split(separator: "\n").count { $0.contains("\"\(act)\"") }
    }
}

extension TransferBench {
    /// The app of Apple's article, with these URLs.
    package func write(urls: [String], _ transfers: String?, settings: String = "") throws {
        try workshop.link("FixtureTransferApp")
        try workshop.write(
            """
            version: 1
            apps:
              \(app):
                plugin: FixtureTransferApp
                idle_after: never
                keep_warm: 1h
                \(transfers.map { "transfers: " + $0 } ?? "description: may not")
                tasks:
                  begin:
                    kind: processing
                    requires: { idle: false }
                    settings: { urls: [\(urls.joined(separator: ", "))]\(settings) }
                  look: { kind: processing, requires: { idle: false } }
            """, to: "jobs.yaml")
    }
}
