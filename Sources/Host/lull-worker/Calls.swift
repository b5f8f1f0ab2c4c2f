import CLullShims
import Glibc
import LullWire
import Synchronization

/// Host functions that wait for an answer: each has a number, and one answer at most.
final class Calls: Sendable {
    enum Answer: Sendable {
        case verdict(status: Int32, sentence: String)
        case pending([WireRequest])
        case notifications([WireNotification])
        /// The number of the transfer, or 0 and why there is none.
        case transferred(status: Int32, sentence: String, transfer: UInt64)
        /// A packed list of `TransferState`, as many as fit.
        case transfers(next: UInt64, states: [UInt8], isLast: Bool)
        case done
    }

    private struct State {
        var next: UInt64 = 1
        var waiting: [UInt64: Call] = [:]
    }
    private let state = Mutex(State())

    func begin() -> Call? {
        guard
            let call = state.withLock({ state -> Call? in
                guard let call = Call(sequence: state.next) else { return nil }
                state.waiting[call.sequence] = call
                state.next += 1
                return call
            })
        else { return nil }
        return call
    }

    /// An answer to a call that no longer waits is dropped.
    func answer(_ sequence: UInt64, _ answer: Answer) {
        state.withLock { $0.waiting.removeValue(forKey: sequence) }?.finish(answer)
    }

    func add(_ requests: [WireRequest], to sequence: UInt64) {
        state.withLock { $0.waiting[sequence] }?.add(requests)
    }

    func add(_ notifications: [WireNotification], to sequence: UInt64) {
        state.withLock { $0.waiting[sequence] }?.add(notifications)
    }

    /// Stops waiting. Returns the answer that has come by then; a later one is dropped.
    func end(_ call: Call) -> Answer? {
        state.withLock { _ = $0.waiting.removeValue(forKey: call.sequence) }
        return call.answer
    }
}

/// One call that waits, on the thread that made it.
final class Call: Sendable {
    let sequence: UInt64
    private let descriptor: Int32
    private let state = Mutex<
        (answer: Calls.Answer?, requests: [WireRequest], notifications: [WireNotification])
    >((nil, [], []))

    init?(sequence: UInt64) {
        self.sequence = sequence
        descriptor = eventfd(0, Int32(LULL_EVENTFD_FLAGS.rawValue))
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var answer: Calls.Answer? { state.withLock { $0.answer } }

    fileprivate func add(_ requests: [WireRequest]) {
        state.withLock { $0.requests += requests }
    }

    fileprivate func add(_ notifications: [WireNotification]) {
        state.withLock { $0.notifications += notifications }
    }

    fileprivate func finish(_ answer: Calls.Answer) {
        state.withLock { state in
            switch answer {
            case .pending(let rest): state.answer = .pending(state.requests + rest)
            case .notifications(let rest): state.answer = .notifications(state.notifications + rest)
            case .verdict, .transferred, .transfers, .done: state.answer = answer
            }
        }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Sleeps until there is an answer or the instant has come.
    func wait(until deadline: Int64) {
        while answer == nil {
            let left = deadline - monotonicNanoseconds()
            guard left > 0 else { return }
            _ = lull_wait_readable(descriptor, Int32(left / 1_000_000 + 1))
        }
    }
}
