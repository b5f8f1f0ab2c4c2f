import BackgroundTasks
import Foundation
import Synchronization

/// The background sessions of this process, by their identifiers.
///
/// Each stays, with its delegate, until it is invalidated: the delegate is to receive the events of its transfers.
final class BackgroundSessions: Sendable {
    static let app = BackgroundSessions()

    private struct State {
        var sessions: [String: BackgroundSession] = [:]
        var isWatching = false
    }
    private let state = Mutex(State())

    /// If two sessions have the same identifier, the newer one receives the events.
    func add(_ session: BackgroundSession) {
        let (earlier, isFirst) = state.withLock { state in
            defer { state.isWatching = true }
            return (
                state.sessions.updateValue(session, forKey: session.identifier), !state.isWatching
            )
        }
        if earlier != nil {
            LullApp.log(
                "A background session '\(session.identifier)' was made while there was one. Only the new one "
                    + "gets its transfers' events. Make each once, and keep it.", level: .warning)
        }
        guard isFirst else { return }
        SessionEvents.app.observe(
            .init(
                exists: { BackgroundSessions.app.session($0) != nil },
                launched: { BackgroundSessions.app.changed($0) }))
        session.table?.watch()
    }

    func remove(_ session: BackgroundSession) {
        state.withLock { state in
            guard state.sessions[session.identifier] === session else { return }
            state.sessions[session.identifier] = nil
        }
    }

    func session(_ identifier: String) -> BackgroundSession? {
        state.withLock { $0.sessions[identifier] }
    }

    /// Transfers of a session may have changed.
    func changed(_ identifier: String) { session(identifier)?.lookSoon() }
}
