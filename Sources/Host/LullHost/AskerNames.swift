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

    /// The acts that wait for the name of who asks, in their order; the first is being looked up or carried out.
    fileprivate var waiting: [(asker: Asker, act: (String) -> Void)] = []
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

    /// Calls `act` with the asker's name; with the number alone if the name service does not answer. Acts keep their order.
    func name(_ asker: Asker, _ act: @escaping (String) -> Void) {
        askers.waiting.append((asker, act))
        if askers.waiting.count == 1 { nameFirst() }
    }

    private func nameFirst() {
        while let first = askers.waiting.first {
            guard let name = askers.name(of: first.asker, at: Clock.monotonic) else {
                return look(first.asker)
            }
            carryOut(name)
        }
    }

    private func look(_ asker: Asker) {
        let state = configuration.state
        blocking.run(within: Self.nameWait) {
            asker.name(in: state)
        } then: { [unowned self] found in
            let name = found ?? asker.name(stateFolder: state.path) { _ in nil }
            askers.note(name, of: asker, at: Clock.monotonic)
            carryOut(name)
            nameFirst()
        }
    }

    /// It stays the first meanwhile, so that one that it asks for comes after the others.
    private func carryOut(_ name: String) {
        askers.waiting.first?.act(name)
        askers.waiting.removeFirst()
    }
}

extension Asker {
    /// May block as long as a name service does.
    public func name(in state: StateFolder) -> String {
        name(stateFolder: state.path) { Accounts.user($0)?.name }
    }
}
