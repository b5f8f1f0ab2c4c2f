import LullModel

/// The sinks of notices, and the notices that are on their way to them.
struct Deliveries: Sendable {
    /// The most at once. Beyond them a sink may still have one: a sink that hangs holds up no other.
    private static let most = 4

    private var targets: [String: NoticeSink.Target] = [:]
    private var underWay: Set<UInt64> = []

    /// Without sinks notices cost nothing.
    var hasSinks: Bool { !targets.isEmpty }
    var sinks: [String] { targets.keys.sorted() }
    var isIdle: Bool { underWay.isEmpty }
    var isFull: Bool { underWay.count >= Self.most }

    /// Takes the sinks of a manifest; what is on its way goes on.
    mutating func take(_ manifest: Manifest) {
        targets = [:]
        for sink in manifest.apps.flatMap({ $0.notify + $0.tasks.flatMap(\.notify) }) {
            targets[sink.name] = sink.target
        }
        if manifest.apps.contains(where: \.notifications) { targets[NoticeSink.desktopName] = .desktop }
    }

    mutating func forgetSinks() { targets = [:] }

    /// Nil: the manifest does not name the sink.
    func target(of sink: String) -> NoticeSink.Target? { targets[sink] }

    func isUnderWay(_ notice: Notice) -> Bool { underWay.contains(notice.id) }
    mutating func begin(_ notice: Notice) { underWay.insert(notice.id) }
    /// False: it is not under way.
    mutating func end(_ id: UInt64) -> Bool { underWay.remove(id) != nil }
}
