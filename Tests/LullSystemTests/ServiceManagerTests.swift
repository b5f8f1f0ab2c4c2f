import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

/// The messages to a service manager, at a socket like systemd's.
struct ServiceManagerTests {
    /// A datagram socket in a separate folder, or with an abstract name.
    private final class Manager {
        let descriptor: Int32
        let path: String
        private let folder: String

        init(isAbstract: Bool) throws {
            folder =
                FileManager.default.temporaryDirectory.appendingPathComponent("lull-\(UUID().uuidString)")
                .path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            path = isAbstract ? "@" + folder.dropFirst() : folder + "/notify"
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var name = Array(path.utf8)
            if isAbstract { name[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(2 + name.count))
                }
            }
            try #require(bound == 0)
        }

        deinit {
            close(descriptor)
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// The next message, which was already sent.
        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        }
    }

    @Test(arguments: [false, true])
    func `it is told what becomes of the service`(isAbstract: Bool) throws {
        let manager = try Manager(isAbstract: isAbstract)
        let service = try #require(ServiceManager(path: manager.path, watchdog: nil))
        let before = Clock.monotonic.nanoseconds / 1000
        service.ready("2 apps,\n3 tasks")
        service.reloading()
        service.status("1 runs")
        service.stopping("what runs is told to end")
        #expect(manager.next() == "READY=1\nSTATUS=2 apps, 3 tasks")
        let reload = try #require(manager.next()?.split(separator: "\n"))
        #expect(reload.first == "RELOADING=1")
        let time = try #require(reload.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(time >= before && time <= Clock.monotonic.nanoseconds / 1000)
        #expect(manager.next() == "STATUS=1 runs")
        #expect(manager.next() == "STOPPING=1\nSTATUS=what runs is told to end")
        #expect(manager.next() == nil)
    }

    @Test func `a loop that turns gives signs of life, and one that does not gives none`() throws {
        let manager = try Manager(isAbstract: false)
        let service = try #require(ServiceManager(path: manager.path, watchdog: .milliseconds(20)))
        let loop = try EventLoop()
        try service.guardLoop(loop)
        #expect(manager.next() == nil)
        var heard = 0
        try loop.watch(manager.descriptor, .readable) { _ in
            while let message = manager.next() {
                #expect(message == "WATCHDOG=1")
                heard += 1
            }
            if heard >= 3 { loop.stop() }
        }
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
        loop.run()
        loop.forget(manager.descriptor)
        #expect(heard >= 3)
    }

    @Test func `where nobody asks or listens, nothing happens`() throws {
        #expect(ServiceManager(path: "", watchdog: nil) == nil)
        #expect(ServiceManager(path: "vsock:2:1234", watchdog: nil) == nil)
        #expect(ServiceManager(path: "/" + String(repeating: "x", count: 200), watchdog: nil) == nil)
        let service = try #require(ServiceManager(path: "/nonexistent/notify", watchdog: .zero))
        #expect(service.watchdogSpan == nil)
        service.ready("nobody hears")
        let loop = try EventLoop()
        try service.guardLoop(loop)
    }
}
