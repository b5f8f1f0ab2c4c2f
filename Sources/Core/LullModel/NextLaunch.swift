/// When a task is launched next by itself, as far as time alone decides: "next" in every answer, table and page.
public enum NextLaunch: Sendable, Equatable, Codable {
    /// At that time, if its conditions hold.
    case at(WallTime)
    /// At a good moment after that time.
    case notBefore(WallTime)
    /// Its time has come: it is launched as soon as its gates are open.
    case onceOpen
    case afterBoot
    /// At the next event of its `on`.
    case onEvent
    /// Not before a person opens this gate.
    case held(GateName)

    public var time: WallTime? {
        switch self {
        case .at(let time), .notBefore(let time): time
        case .onceOpen, .afterBoot, .onEvent, .held: nil
        }
    }
}

extension GateVerdict {
    /// Whether it stays closed until a person acts.
    public var needsSomebody: Bool { !isOpen && gate.needsSomebody(since: since, until: until) }
}
