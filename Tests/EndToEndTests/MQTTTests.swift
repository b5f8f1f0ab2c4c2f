import Foundation
import TestSupport
import Testing

/// Pushes from a real mosquitto, to an app in C and one in Swift.
@Suite(
    .enabled(
        if: Broker.isInstalled, "mosquitto is not installed; `packaging/install-dependencies tests` does it"))
struct MQTTTests {
    private func workshop(_ broker: Broker, quota: Int = 60) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Pushed", as: "Pushed")
        try workshop.write("a password\n", to: "password")
        func push(_ topic: String) -> String {
            "push: { quota: \(quota)/1h, within: 0s, mqtt: { broker: 'mqtt://127.0.0.1:\(broker.port)', topics: [\(topic)], username: host, password_file: password } }"
        }
        try workshop.write(
            """
            version: 1
            defaults: { idle_after: never }
            apps:
              com.example.Mail:
                plugin: Pushed
                \(push("mail/+"))
              com.example.Swift:
                plugin: \(Workshop.products.appendingPathComponent("libFixtureAsyncPushApp.so").path)
                \(push("swift/#"))
            """, to: "jobs.yaml")
        return workshop
    }

    /// Waits until both apps are discovered and connected to the broker, in either order.
    private func start(_ workshop: Workshop) throws -> Program {
        let host = try workshop.start("run", "jobs.yaml")
        for app in ["com.example.Mail", "com.example.Swift"] {
            for words in ["discovered \(app)\n", "\(app): pushes come from "] { try wait(host, for: words) }
        }
        return host
    }

    private func wait(_ host: Program, for words: String) throws {
        while !host.said.contains(words) { try host.readLine(waitingFor: words) }
    }

    @Test func `a message wakes an app in C and one in Swift`() throws {
        let broker = try Broker()
        let workshop = try workshop(broker)
        let host = try start(workshop)
        try broker.publish("swift/a/b", #"{"new":3}"#)
        try wait(host, for: "completed com.example.Swift.push run=1")
        #expect(try workshop.lull("history", "--run", "1").output.contains("waited for 3"))
        try broker.publish("other", "unheard")
        try broker.publish("mail/a", "on")
        try wait(host, for: #"silent push {"lull":{"topic":"mail/a"},"message":"on"} of "#)
        try wait(host, for: "completed com.example.Mail.push run=2")
        let history = try workshop.lull("history", "--events", "--json").output
        #expect(history.contains(#""from":"mqtt""#) && !history.contains("unheard"), "\(history)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `what comes while no host runs, or is refused, stays with the broker`() throws {
        let broker = try Broker()
        let workshop = try workshop(broker, quota: 120)
        let first = try start(workshop)
        first.send(SIGTERM)
        #expect(first.end() == 0)
        try broker.publish("mail/off", "1")
        let host = try start(workshop)
        try wait(host, for: #"{"topic":"mail/off"}"#)
        // As many pushes as the host accepts at once. It accepts another after some seconds, perhaps the message itself, so a
        // slow machine may need several attempts.
        let end = ContinuousClock.now + hangLimit
        var why = ""
        while !why.contains("Push again in "), ContinuousClock.now < end {
            while try workshop.lull("push", "com.example.Mail").status == 0 {}
            try broker.publish("mail/late", "2")
            why = try workshop.lull("why", "com.example.Mail.push").output.unwrapped
        }
        #expect(why.contains("Push again in "), "\(why)")
        try wait(host, for: "Push again in ")
        // The connection stays, and the host takes the message as soon as it accepts pushes again.
        try wait(host, for: #"{"topic":"mail/late"}"#)
        #expect(!host.said.contains("A message could not be kept"))
        // There may be several such messages.
        while try workshop.lull("status").output.unwrapped.contains("Push again in ") {
            try #require(ContinuousClock.now < end + hangLimit, "it still takes no message")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a password that is away is named in status and why, and the broker is heard when it is back`()
        throws
    {
        let broker = try Broker()
        let workshop = try workshop(broker)
        let password = workshop.folder + "/password"
        try FileManager.default.moveItem(atPath: password, toPath: password + ".away")
        let host = try workshop.start("run", "jobs.yaml")
        // The second attempt begins after the first has been reported.
        try wait(host, for: "again in 10 s.")
        for question in [["status"], ["why", "com.example.Mail.push"]] {
            let said = try workshop.lull(question).output.unwrapped
            #expect(said.contains("There is no file \(password) for the password."), "\(said)")
            #expect(said.contains("Lull tries ") && said.contains(" again at "), "\(said)")
        }
        try FileManager.default.moveItem(atPath: password + ".away", toPath: password)
        for app in ["com.example.Mail", "com.example.Swift"] {
            try wait(host, for: "\(app): pushes come from ")
        }
        #expect(try !workshop.lull("status").output.contains("for the password"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `certificates that are away are named`() throws {
        let broker = try Broker()
        let workshop = try workshop(broker)
        let manifest = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        try workshop.write(
            manifest.replacingOccurrences(of: "username: host", with: "ca_file: ca.pem, username: host")
                .replacingOccurrences(of: "mqtt://", with: "mqtts://"), to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        try wait(
            host, for: "There is no file \(workshop.folder)/ca.pem for the certificates. Lull tries mqtts:")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a broker that refuses is named, and an edit takes its place`() throws {
        let broker = try Broker()
        let workshop = try workshop(broker)
        try workshop.write("another\n", to: "password")
        let host = try workshop.start("run", "jobs.yaml")
        try wait(host, for: "The broker said: Connection Refused: not authorised. Lull tries")
        try workshop.write("a password\n", to: "password")
        let manifest = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        try workshop.write(manifest.replacingOccurrences(of: "mail/+", with: "post/+"), to: "jobs.yaml")
        try wait(host, for: "127.0.0.1:\(broker.port): post/+.")
        try broker.publish("post/a", "3")
        try wait(host, for: #"{"topic":"post/a"}"#)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}

/// A mosquitto on loopback for one test, not as root; it ends with this object.
private final class Broker {
    static let isInstalled = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto_pub", "/usr/bin/mosquitto_passwd"]
        .allSatisfy(FileManager.default.isExecutableFile)

    let port: Int
    private let folder: String
    private let program: Program

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("lull-broker-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        port = try Self.freePort()
        try """
        listener \(port) 127.0.0.1
        allow_anonymous false
        password_file \(folder)/passwords
        persistence false
        log_dest stderr

        """.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        let made = try Program.run(
            "/usr/bin/mosquitto_passwd", ["-b", "-c", folder + "/passwords", "host", "a password"])
        #expect(made.status == 0, "\(made.error)")
        var command = ["/usr/sbin/mosquitto", "-c", folder + "/conf"]
        if geteuid() == 0 {
            // The broker drops root for another account, which has to read these files.
            _ = try Program.run("/bin/chmod", ["-R", "a+rX", folder])
            command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command
        }
        program = try Program("/usr/bin/env", command, in: "/")
        try program.waitForLine(containing: "running")
    }

    deinit {
        // It may have inherited a mask that blocks gentler signals.
        program.send(SIGKILL)
        _ = program.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func publish(_ topic: String, _ message: String) throws {
        let told = try Program.run(
            "/usr/bin/mosquitto_pub",
            [
                "-h", "127.0.0.1", "-p", String(port), "-u", "host", "-P", "a password", "-q", "1", "-t",
                topic, "-m",
                message,
            ])
        #expect(told.status == 0, "\(told.error)")
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        try #require(code == 0)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
