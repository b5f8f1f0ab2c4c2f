public import LullControl
import LullManifest
import LullModel
import LullSystem

/// The names of those who acted lately: looking one up may hang in a name service.
struct AskerNames {
    /// An account may be renamed, or its number given to another.
    private static let memory: Duration = .minutes(1)
    /// Far more than act within that.
    private static let most = 100

    private var known: [Asker: (name: String, since: MonotonicTime)] = [:]

    func name(of asker: Asker, at now: MonotonicTime) -> String? {
        known[asker].flatMap { now - $0.since < Self.memory ? $0.name : nil }
    }

    mutating func note(_ name: String, of asker: Asker, at now: MonotonicTime) {
        // A token may be revoked at any time.
        guard asker.isUser else { return }
        if known.count >= Self.most { known = [:] }
        known[asker] = (name, now)
    }
}

extension Host {
    private static let nameWait: Duration = .seconds(2)

    /// Calls `told` with the asker's name; with the number alone if the name service does not answer.
    func name(_ asker: Asker, _ told: @escaping (String) -> Void) {
        if let name = askers.name(of: asker, at: Clock.monotonic) { return told(name) }
        let state = configuration.state
        blocking.run(within: Self.nameWait) {
            asker.name(in: state)
        } then: { [unowned self] found in
            let name = found ?? asker.name(stateFolder: state.path) { _ in nil }
            askers.note(name, of: asker, at: Clock.monotonic)
            told(name)
        }
    }
}

extension Asker {
    /// May block as long as a name service does.
    public func name(in state: StateFolder) -> String {
        name(stateFolder: state.path) { Accounts.user($0)?.name }
    }
}
