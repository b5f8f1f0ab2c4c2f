private import CLullShims
private import Glibc
import LullSystem
private import Synchronization

/// Makes one connection on a thread of its own; the result arrives on the loop.
final class DialAttempt {
    /// The thread's result. The thread closes its end of the pipe once the result is set, which wakes the loop.
    private final class Outcome: Sendable {
        let result = Mutex<Result<PostgresLink, FleetTrouble>?>(nil)
    }

    private let outcome = Outcome()
    private var descriptor: Int32 = -1
    private var loop: EventLoop?

    deinit { giveUp() }

    func begin(
        _ dial: PostgresDial, on loop: EventLoop,
        then: @escaping (Result<PostgresLink, FleetTrouble>) -> Void
    ) throws(LoopError) {
        var ends: [Int32] = [-1, -1]
        let code = lull_output_pipe(&ends)
        guard code == 0 else {
            throw LoopError(operation: "make a pipe for the fleet's connection", code: code)
        }
        (descriptor, self.loop) = (ends[0], loop)
        let (far, outcome) = (ends[1], outcome)
        do throws(LoopError) {
            try loop.watch(descriptor, .readable) { [unowned self] _ in
                let result = outcome.result.withLock { $0 }
                giveUp()
                if let result { then(result) }
            }
        } catch {
            close(far)
            throw error
        }
        let fault = OwnThread.begin {
            let result = dial.connect()
            outcome.result.withLock { $0 = result }
            close(far)
        }
        guard fault == 0 else {
            close(far)
            throw LoopError(operation: "begin a thread for the fleet's connection", code: fault)
        }
    }

    /// Drops the attempt. The thread ends when libpq returns, and a connection that it has made is closed.
    func giveUp() {
        guard descriptor >= 0 else { return }
        loop?.forget(descriptor)
        close(descriptor)
        descriptor = -1
    }
}
