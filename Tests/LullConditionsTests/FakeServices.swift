import Foundation
import Glibc
import Synchronization

/// A private bus with a fake logind and NetworkManager; it ends with this object.
final class FakeServices {
    static let isPossible =
        FakeBus.api != nil && ["dbus-daemon", "dbus-send"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
    private let daemon = Process()
    private let folder: String
    private let address: String

    /// Makes the private bus this process's system bus.
    init(in folder: String) throws {
        self.folder = folder
        address = "unix:path=\(folder)/bus"
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        daemon.arguments = ["--session", "--nofork", "--print-address", "--address=\(address)"]
        let output = Pipe()
        daemon.standardOutput = output
        try daemon.run()
        // The address is printed once the bus listens.
        _ = output.fileHandleForReading.availableData
        setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
        let isServing = DispatchSemaphore(value: 0)
        Thread { FakeBus.serve { isServing.signal() } }.start()
        isServing.wait()
    }

    deinit { endBus() }

    func endBus() {
        guard daemon.isRunning else { return }
        // A child of a test's thread may have all other signals blocked.
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// Changes a property and lets its service announce it.
    func set(_ property: String, _ value: UInt32) throws {
        let sender = Process()
        sender.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-send")
        sender.arguments = [
            "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.login1", "/test",
            "com.example.Test.\(property)",
            "uint32:\(value)",
        ]
        sender.standardOutput = FileHandle.nullDevice
        try sender.run()
        sender.waitUntilExit()
        if sender.terminationStatus != 0 { throw POSIXError(.EIO) }
    }
}

/// The services' side, also with libsystemd.
private enum FakeBus {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Handler = @convention(c) (Handle?, UnsafeMutableRawPointer?, Handle?) -> Int32

    struct API: Sendable {
        let open: @convention(c) (UnsafeMutablePointer<Handle?>) -> Int32
        let requestName: @convention(c) (Handle?, Text, UInt64) -> Int32
        let addFilter:
            @convention(c) (Handle?, UnsafeMutableRawPointer?, Handler, UnsafeMutableRawPointer?) -> Int32
        let process: @convention(c) (Handle?, UnsafeMutableRawPointer?) -> Int32
        let wait: @convention(c) (Handle?, UInt64) -> Int32
        let member: @convention(c) (Handle?) -> Text?
        let bus: @convention(c) (Handle?) -> Handle?
        let read: @convention(c) (Handle?, CChar, UnsafeMutableRawPointer) -> Int32
        let newReturn: @convention(c) (Handle?, UnsafeMutablePointer<Handle?>) -> Int32
        let newSignal: @convention(c) (Handle?, UnsafeMutablePointer<Handle?>, Text, Text, Text) -> Int32
        let openContainer: @convention(c) (Handle?, CChar, Text) -> Int32
        let append: @convention(c) (Handle?, CChar, UnsafeRawPointer) -> Int32
        let closeContainer: @convention(c) (Handle?) -> Int32
        let send: @convention(c) (Handle?, Handle?, UnsafeMutablePointer<UInt64>?) -> Int32

        init?() {
            guard let library = dlopen("libsystemd.so.0", RTLD_NOW) else { return nil }
            func symbol<T>(_ name: String, as type: T.Type = T.self) throws -> T {
                guard let symbol = dlsym(library, "sd_bus_" + name) else { throw POSIXError(.ENOSYS) }
                return unsafeBitCast(symbol, to: type)
            }
            do {
                open = try symbol("open_system")
                requestName = try symbol("request_name")
                addFilter = try symbol("add_filter")
                process = try symbol("process")
                wait = try symbol("wait")
                member = try symbol("message_get_member")
                bus = try symbol("message_get_bus")
                read = try symbol("message_read_basic")
                newReturn = try symbol("message_new_method_return")
                newSignal = try symbol("message_new_signal")
                openContainer = try symbol("message_open_container")
                append = try symbol("message_append_basic")
                closeContainer = try symbol("message_close_container")
                send = try symbol("send")
            } catch {
                return nil
            }
        }
    }

    static let api = API()
    static let values = Mutex<[String: UInt64]>([:])

    /// Serves until the bus ends.
    static func serve(whenReady: () -> Void) {
        guard let api else { return whenReady() }
        values.withLock { $0 = ["IdleHint": 0, "IdleSinceHint": 1_999_990_000_000_000, "Metered": 0] }
        var bus: Handle?
        _ = api.open(&bus)
        _ = api.addFilter(bus, nil, { message, _, _ in FakeBus.answer(message) }, nil)
        for name in ["org.freedesktop.login1", "org.freedesktop.NetworkManager"] {
            _ = api.requestName(bus, name, 0)
        }
        whenReady()
        while true {
            let result = api.process(bus, nil)
            if result < 0 || (result == 0 && api.wait(bus, .max) < 0) { return }
        }
    }

    private static func answer(_ message: Handle?) -> Int32 {
        guard let api, let member = api.member(message).map({ String(cString: $0) }) else { return 0 }
        var reply: Handle?
        if member == "Get" {
            var word: UnsafePointer<CChar>?
            for _ in 0..<2 { _ = api.read(message, CChar(bitPattern: UInt8(ascii: "s")), &word) }
            guard let name = word.map({ String(cString: $0) }), let value = values.withLock({ $0[name] })
            else { return 0 }
            let type = name == "IdleHint" ? "b" : name == "Metered" ? "u" : "t"
            _ = api.newReturn(message, &reply)
            _ = api.openContainer(reply, CChar(bitPattern: UInt8(ascii: "v")), type)
            // All three types begin with the value's low bytes.
            var bytes = value
            _ = api.append(reply, CChar(bitPattern: type.utf8.first ?? 0), &bytes)
            _ = api.closeContainer(reply)
        } else if values.withLock({ $0[member] != nil }) {
            var value: UInt32 = 0
            _ = api.read(message, CChar(bitPattern: UInt8(ascii: "u")), &value)
            values.withLock { $0[member] = UInt64(value) }
            let path = member == "Metered" ? "/org/freedesktop/NetworkManager" : "/org/freedesktop/login1"
            var signal: Handle?
            _ = api.newSignal(
                api.bus(message), &signal, path, "org.freedesktop.DBus.Properties", "PropertiesChanged")
            _ = api.send(api.bus(message), signal, nil)
            _ = api.newReturn(message, &reply)
        } else {
            return 0
        }
        _ = api.send(api.bus(message), reply, nil)
        return 1
    }
}
