/// When a task comes by itself, as far as time alone decides: what every answer, table and page means by "next".
public enum NextLaunch: Sendable, Equatable, Codable {
    /// Then, if its conditions hold.
    case at(WallTime)
    /// At a good moment after that.
    case notBefore(WallTime)
    /// Its time has come: as soon as its gates are open.
    case onceOpen
    case afterBoot
    /// When something happens that its `on` names.
    case onEvent
    /// Not before somebody opens this gate.
    case held(GateName)

    public var time: WallTime? {
        switch self {
        case .at(let time), .notBefore(let time): time
        case .onceOpen, .afterBoot, .onEvent, .held: nil
        }
    }
}

extension GateVerdict {
    /// It stays closed until somebody does something about it.
    public var needsSomebody: Bool { !isOpen && gate.needsSomebody(since: since, until: until) }
}
