import Foundation
import Glibc
import LullModel
import LullSystem
import Synchronization
import Testing

@testable import LullConditions

/// Real announcements of the kernel, in a network namespace that the test makes for its thread.
struct KernelEventsTests {
    @Test(
        .enabled(
            if: NetworkNamespace.isPermitted,
            "a network namespace of one's own is not permitted here, or `ip` is not installed"))
    func `a default route that comes and goes is heard over netlink`() async throws {
        try await NetworkNamespace.run {
            let loop = try EventLoop()
            // /proc/self belongs to the process, but the namespace belongs to the thread.
            let roots = ConditionRoots(procfs: "/proc/thread-self", stateFolder: "/tmp")
            let sensors = ConditionSensors(roots: roots, loop: loop)
            #expect(sensors.current().network == .known(.none))
            sensors.wait(on: loop) {
                #expect(sensors.announced.contains(.network))
                for words in [
                    "link add lull0 type veth peer name lull1", "addr add 192.0.2.2/24 dev lull0",
                    "link set lull1 up",
                    "link set lull0 up", "route add default via 192.0.2.1",
                ] { #expect(NetworkNamespace.ip(words)) }
            } until: {
                $0.network == .known(.unmetered)
            }
            sensors.wait(on: loop) {
                #expect(NetworkNamespace.ip("route del default"))
            } until: {
                $0.network == .known(.none)
            }
            sensors.stop()
        }
    }

    @Test func `a uevent of a power supply concerns us, another's does not`() {
        let ours = "change@/devices/x\0ACTION=change\0SUBSYSTEM=power_supply\0POWER_SUPPLY_ONLINE=0\0"
        let others = "add@/devices/y\0ACTION=add\0SUBSYSTEM=usb\0"
        #expect(KernelSocket.isOfPowerSupply(Array(ours.utf8)[...]))
        #expect(!KernelSocket.isOfPowerSupply(Array(others.utf8)[...]))
        #expect(!KernelSocket.isOfPowerSupply([]))
    }

    @Test func `the trigger asks for 150 ms of memory's shortage within 2 s`() {
        let tree = HostTree(["proc/pressure/memory": ""])
        let trigger = PressureTrigger(procfs: tree.root + "/proc")
        #expect(trigger != nil)
        #expect((try? HostFile.text(tree.root + "/proc/pressure/memory")) == "some 150000 2000000\0")
        #expect(PressureTrigger(procfs: tree.root + "/none") == nil)
    }

    @Test(
        .enabled(
            if: access("/proc/pressure/memory", W_OK) == 0,
            "this kernel has no PSI, or does not permit triggers"))
    func `the kernel accepts the trigger`() {
        #expect(PressureTrigger(procfs: "/proc") != nil)
    }
}

enum NetworkNamespace {
    static let isPermitted = onThread { leave() && ip("link set lo up") }

    /// Runs `body` on a new thread, in an empty network namespace that ends with the thread.
    static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread {
                continuation.resume(
                    with: Result {
                        guard leave() else { throw POSIXError(.EPERM) }
                        try body()
                    })
            }.start()
        }
    }

    /// `unshare(CLONE_NEWNET)`, which the Glibc module leaves out.
    private static func leave() -> Bool {
        guard let symbol = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x4000_0000) == 0
    }

    /// Runs `ip` in the namespace of the calling thread, which a child inherits.
    static func ip(_ words: String) -> Bool {
        let arguments = ["ip"] + words.split(separator: " ").map(String.init)
        var pointers = arguments.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        pointers.append(nil)
        var child: pid_t = 0
        guard posix_spawnp(&child, "ip", nil, nil, pointers, nil) == 0 else { return false }
        var status: Int32 = 0
        return waitpid(child, &status, 0) == child && status == 0
    }

    private static func onThread(_ body: @escaping @Sendable () -> Bool) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let result = Answer()
        Thread {
            result.set(body())
            done.signal()
        }.start()
        done.wait()
        return result.value
    }

    private final class Answer: Sendable {
        private let state = Mutex(false)
        var value: Bool { state.withLock { $0 } }
        func set(_ value: Bool) { state.withLock { $0 = value } }
    }
}
