import Foundation
import Logging
import LullSystem
import Testing

@testable import lull

/// The entries that reach the journal's socket, and the form of a log line.
struct JournalLogTests {
    /// Listens as the journal does, in a folder of its own.
    private final class Journal {
        let path: String
        private let descriptor: Int32

        init() throws {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("lull-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            path = folder + "/socket"
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        deinit {
            close(descriptor)
            try? FileManager.default.removeItem(atPath: String(path.dropLast("/socket".count)))
        }

        func next() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return Array(bytes.prefix(max(0, count)))
        }
    }

    @Test func `an entry has its priority, its words and what it is of`() throws {
        let journal = try Journal()
        let socket = try #require(JournalSocket(path: journal.path))
        var logger = Logger(label: "lull") { _ in JournalLog(socket: socket) }
        logger.logLevel = .info
        logger.warning("the plugin is gone", metadata: ["app": "com.example.App", "run": "7"])
        #expect(
            String(decoding: journal.next(), as: UTF8.self) == """
                MESSAGE=the plugin is gone
                PRIORITY=4
                SYSLOG_IDENTIFIER=lull
                LULL_APP=com.example.App
                LULL_RUN=7

                """)
        logger.debug("not asked for")
        #expect(journal.next().isEmpty)
    }

    @Test func `a message of several lines is one entry, and none can add fields`() throws {
        let message = "first\nPRIORITY=0\nlast"
        let bytes = JournalSocket.entry([("MESSAGE", message), ("LULL_APP", "a")])
        let length = [UInt8(message.utf8.count)] + [UInt8](repeating: 0, count: 7)
        #expect(bytes == Array("MESSAGE\n".utf8) + length + Array((message + "\nLULL_APP=a\n").utf8))
        #expect(JournalLog.field("run-id.x") == "LULL_RUN_ID_X")
    }

    @Test func `levels are syslog's priorities`() {
        let levels: [Logger.Level] = [.critical, .error, .warning, .notice, .info, .debug, .trace]
        #expect(levels.map(JournalLog.priority) == [2, 3, 4, 5, 6, 7, 7])
    }

    @Test func `where no journal listens, that is said`() throws {
        let socket = try #require(JournalSocket(path: "/nonexistent/socket"))
        #expect(socket.send([("MESSAGE", "lost")]) == ENOENT)
    }

    @Test func `a line of a log can't be made by what a plugin says`() {
        #expect(LineLog.line("one\n2026-11-21 forged\u{1B}[2J") == "one\n    2026-11-21 forged␛[2J")
    }
}
