import LullModel
import Synchronization

/// The activities that the plugin has begun, which keep the app from being suspended.
///
/// The host keeps the clock that counts; this one answers `background_time_remaining`. The time belongs to the
/// app: it runs for all activities together, from when neither `start` nor a run is under way.
final class Activities: Sendable {
    struct Handler: Sendable {
        let function: @convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Void
        let context: PluginContext
    }
    enum Beginning { case begun(UInt64), tooMany, timeIsUp }

    private struct State {
        var next: UInt64 = 1
        var open: [UInt64: Handler?] = [:]
        /// Nil while `start` or a run keeps the app awake.
        var restingSince: Int64?
        var hasExpired = false
    }
    private let state = Mutex(State())

    func begin(_ handler: Handler?, now: Int64) -> Beginning {
        state.withLock { state in
            if state.hasExpired || remaining(state, now) == 0 { return .timeIsUp }
            guard state.open.count < Limits.activities else { return .tooMany }
            let activity = state.next
            state.next += 1
            state.open[activity] = .some(handler)
            return .begun(activity)
        }
    }

    /// False: it is not open.
    func end(_ activity: UInt64) -> Bool { state.withLock { $0.open.removeValue(forKey: activity) != nil } }

    func remaining(now: Int64) -> Int64 { state.withLock { remaining($0, now) } }

    func wake() {
        state.withLock { state in
            state.restingSince = nil
            state.hasExpired = false
        }
    }

    func rest(from now: Int64) { state.withLock { $0.restingSince = now } }

    /// Calls the handlers of the open activities, each once, in the order of beginning.
    func expire() {
        let numbers = state.withLock { state in
            state.hasExpired = true
            return state.open.keys.sorted()
        }
        for number in numbers {
            // It may have been ended by the handler of another.
            let handler = state.withLock { state -> Handler? in
                guard let handler = state.open[number] else { return nil }
                state.open[number] = .some(nil)
                return handler
            }
            if let handler { handler.function(handler.context.pointer, number) }
        }
    }

    private func remaining(_ state: borrowing State, _ now: Int64) -> Int64 {
        state.restingSince.map { max(0, $0 + Limits.activityTime.nanoseconds - now) } ?? .max
    }
}
