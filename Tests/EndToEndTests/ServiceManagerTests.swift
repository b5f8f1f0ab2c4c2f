import Foundation
import TestSupport
import Testing

/// `lull run` under a service manager that starts it as systemd does with `Type=notify`: the messages that the manager gets.
struct ServiceManagerTests {
    @Test func `it is told of the start, a reload, a run, signs of life and the end`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      succeed: { kind: processing, requires: { idle: false } }
                """)
        // The first sign of life comes at once. The next ones are far apart: the socket holds ten messages, and a test that is
        // late would lose others.
        // In the PID that is asked for, so through exec; more of the manager's needs no systemd.
        let manager = try Manager()
        let host = try workshop.start(
            "run", "jobs.yaml",
            environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "120000000"])
        #expect(manager.wait(for: "READY=1") == "READY=1\nSTATUS=1 app, 1 task")
        #expect(manager.wait(for: "WATCHDOG=1") == "WATCHDOG=1")
        try host.waitForLine(containing: "discovered com.example.App")
        // Who has no running host is no service, whoever started it.
        #expect(try workshop.lull("launch", "com.example.App.succeed").status == 0)
        #expect(manager.wait(for: "under way") == "STATUS=1 app, 1 task; 1 under way")
        host.send(SIGHUP)
        #expect(manager.wait(for: "RELOADING=1")?.contains("\nMONOTONIC_USEC=") == true)
        #expect(manager.wait(for: "READY=1") == "READY=1\nSTATUS=1 app, 1 task")
        host.send(SIGTERM)
        #expect(manager.wait(for: "STOPPING=1") != nil)
        #expect(host.end() == 0)
    }

    /// A socket in this process, abstract, as `$NOTIFY_SOCKET` names it.
    private final class Manager {
        let path = "@lull-test-\(UUID().uuidString)"
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

        init() throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) {
                $0.copyBytes(from: [0] + Array(path.utf8.dropFirst()))
            }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(2 + path.utf8.count))
                }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        /// The next message that contains `words`; nil when none has come for `hangLimit`.
        func wait(for words: String) -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            for _ in 0..<5000 {
                guard poll(&ready, 1, Int32(hangLimit / .milliseconds(1))) > 0 else { return nil }
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count >= 0 else { return nil }
                let message = String(decoding: bytes[..<count], as: UTF8.self)
                if message.contains(words) { return message }
            }
            return nil
        }
    }
}
