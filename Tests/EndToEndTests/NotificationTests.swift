import Foundation
import TestSupport
import Testing

/// Notifications of a plugin in C, through worker, pool and host, to a real bus with a fake desktop.
struct NotificationTests {
    private func workshop(_ more: String = "notifications: true") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Notifies", as: "Notifies")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Notifies
                idle_after: never
                \(more)
                tasks:
                  now: { kind: processing, requires: { idle: false } }
                  later: { kind: processing, requires: { idle: false } }
                  remove: { kind: processing, requires: { idle: false } }
                  refused: { kind: processing, requires: { idle: false } }
            """, to: "jobs.yaml")
        return workshop
    }

    /// Runs `lull` without the session bus of the user who runs the tests.
    private func lull(
        _ workshop: Workshop, _ arguments: String..., bus: String = "unix:path=/nowhere"
    ) throws -> Program.Result {
        try Program.run(
            Workshop.products.appendingPathComponent("lull").path,
            arguments + ["--state", workshop.state, "--plugins", workshop.folder + "/plugins"],
            in: workshop.folder, environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
    }

    @Test(
        .enabled(if: FakeDesktop.isPossible, "dbus-daemon or libsystemd is not installed"),
        arguments: [true, false])
    func `it is shown on the desktop, and what looks like markup is none`(readsMarkup: Bool) throws {
        let workshop = try workshop()
        let desktop = try FakeDesktop(in: workshop.folder, readsMarkup: readsMarkup)
        let run = try lull(workshop, "launch", "com.example.App.now", bus: desktop.address)
        #expect(run.status == 0, "\(run.error)")
        let body = readsMarkup ? "3 files &lt;here&gt; &amp; there" : "3 files <here> & there"
        #expect(
            try desktop.shown()
                == "app=com.example.App\nsummary=The export is ready\nbody=Feed\n\(body)\nurgency=1\n")
        let history = try lull(workshop, "history", "--events").output
        #expect(history.contains("added 'a' (The export is ready)"), "\(history)")
        #expect(history.contains("delivered 'a'") && history.contains("desktop was notified"), "\(history)")
    }

    @Test func `where there is no desktop those are told whom the manifest names`() throws {
        let workshop = try workshop("notifications: true\n    notify: [{ command: [./sink.sh] }]")
        try workshop.write(
            "#!/bin/sh\necho \"$LULL_KIND|$LULL_TITLE|$LULL_SUBTITLE|$LULL_BODY\" >> \(workshop.folder)/told\n",
            to: "sink.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: workshop.folder + "/sink.sh")
        let run = try lull(workshop, "launch", "com.example.App.now")
        #expect(run.status == 0, "\(run.error)")
        let told = try String(contentsOfFile: workshop.folder + "/told", encoding: .utf8)
        #expect(told == "notification|The export is ready|Feed|3 files <here> & there\n")
        let history = try lull(workshop, "history", "--events").output
        #expect(
            history.contains("desktop could not be notified; the other sinks are notified instead"),
            "\(history)")
    }

    @Test func `what waits survives worker and host, and is listed, removed and said`() throws {
        let workshop = try workshop()
        let later = try lull(workshop, "launch", "com.example.App.later")
        #expect(later.status == 0, "\(later.error)")
        let run = try lull(workshop, "history", "--run", "1").output
        #expect(run.contains("a: The export is ready (has a time), repeats 0, details kept"), "\(run)")
        #expect(run.contains("b: The export is ready (has a time), repeats 1, details kept"), "\(run)")
        let list = try lull(workshop, "notifications").output
        #expect(list.contains("waits, repeats") && list.contains("com.example.App"), "\(list)")
        let why = try lull(workshop, "why", "com.example.App").output
        #expect(why.contains("2 notifications scheduled"), "\(why)")
        let removed = try lull(workshop, "launch", "com.example.App.remove")
        #expect(removed.status == 0, "\(removed.error)")
        let json = try lull(workshop, "notifications", "com.example.App", "--json").output
        #expect(json.contains("\"badge\" : 7") || json.contains("\"badge\":7"), "\(json)")
        #expect(!json.contains("\"id\":\"a\"") && !json.contains("\"id\" : \"a\""), "\(json)")
    }

    @Test func `an app in Swift tells people with Apple's calls alone`() throws {
        let workshop = try Workshop()
        try workshop.link("FixtureReminder")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Reminder:
                plugin: FixtureReminder
                idle_after: never
                notifications: true
                tasks:
                  remind: { kind: processing, requires: { idle: false } }
            """, to: "jobs.yaml")
        let launch = try lull(workshop, "launch", "com.example.Reminder.remind")
        #expect(launch.status == 0, "\(launch.output)\(launch.error)")
        let run = try lull(workshop, "history", "--run", "1").output
        #expect(run.contains("pending [\"daily\"], delivered [\"now\"], room 7"), "\(run)")
        let list = try lull(workshop, "notifications").output
        #expect(list.contains("waits, repeats") && list.contains("Water the plants: All of them"), "\(list)")
    }

    @Test func `what is refused says what to do`() throws {
        let workshop = try workshop("description: may not")
        let run = try lull(workshop, "launch", "com.example.App.now")
        #expect(run.status == 0, "\(run.error)")
        let denied = try lull(workshop, "history", "--run", "1").output
        #expect(denied.contains("it may not notify"), "\(denied)")
        #expect(denied.contains("status 3, com.example.App may not notify anybody."), "\(denied)")
        #expect(denied.contains("Give the app `notifications: true` in"), "\(denied)")
        let list = try lull(workshop, "notifications").output
        #expect(list == "No app may notify anybody: give the app `notifications: true` in jobs.yaml.\n")
        let other = try self.workshop()
        _ = try lull(other, "launch", "com.example.App.refused")
        let soon = try lull(other, "history", "--run", "1").output
        #expect(soon.contains("repeats in less than 60 s"), "\(soon)")
    }
}

/// A session bus for one test, with a desktop that shows notifications; it ends with this object.
private final class FakeDesktop {
    static let isPossible =
        access("/usr/bin/dbus-daemon", X_OK) == 0 && dlopen("libsystemd.so.0", RTLD_NOW) != nil
    let address: String
    private let daemon = Process()
    private let desktop = Process()
    private let file: String

    init(in folder: String, readsMarkup: Bool) throws {
        address = "unix:path=\(folder)/bus"
        file = folder + "/shown"
        let source = Workshop.root.appendingPathComponent("Tests/Fixtures/desktop.c").path
        let compiled = try Program.run(
            "/usr/bin/env",
            ["gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", source, "-o", folder + "/desktop"])
        #expect(compiled.status == 0, "gcc: \(compiled.error)")
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--session", "--nofork", "--print-address", "--address=\(address)"]
        let output = Pipe()
        daemon.standardOutput = output
        try daemon.run()
        // The address is printed once the bus listens.
        _ = output.fileHandleForReading.availableData
        desktop.executableURL = URL(fileURLWithPath: folder + "/desktop")
        desktop.arguments = [file] + (readsMarkup ? [] : ["plain"])
        desktop.environment = ProcessInfo.processInfo.environment.merging([
            "DBUS_SESSION_BUS_ADDRESS": address
        ]) {
            $1
        }
        let ready = Pipe()
        desktop.standardOutput = ready
        try desktop.run()
        #expect(ready.fileHandleForReading.availableData == Data("ready\n".utf8))
    }

    func shown() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    deinit {
        for process in [desktop, daemon] where process.isRunning {
            // A child of a test's thread may have all other signals blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }
}
