import LullHistory
import LullModel
import LullSimulator

/// A span of this host's history, decided again: as it is alone, and in a fleet.
struct FleetComparison {
    /// How much is read before the span, to know how long ago tasks ran last, and how long they took.
    private static let before = Duration.days(35)
    /// Events that count however old they are: switches hold until they are changed, and the forecast learns from old uses, too.
    private static let lasting: Set<HistoryEvent.Name> = [.used, .enabled, .disabled, .paused, .resumed]

    let replay: FleetReplay
    let manifest: Manifest
    let start: WallTime
    let end: WallTime
    let isAnyHost: Bool

    /// - Parameter identity: the host's identity, which decides the shifts of `spread`.
    init(
        _ manifest: Manifest, _ history: (some History)?, last span: Duration, until end: WallTime,
        zones: Zones,
        identity: String = "", isAnyHost: Bool = false, progress: (_ share: Double) -> Void = { _ in }
    ) throws(HistoryError) {
        (self.manifest, self.end, self.isAnyHost) = (manifest, end, isAnyHost)
        start = end - span
        let recent = start - Self.before
        var events: [HistoryEvent] = []
        if let history {
            events += try history.events(matching: HistoryQuery(names: Self.lasting, until: recent))
            events += try history.events(matching: HistoryQuery(since: recent, until: end))
        }
        var past = World(past: events, of: manifest, zones: zones, from: start)
        past.options.host = identity
        replay = FleetReplay(past, until: end, isAnyHost: isAnyHost, progress: progress)
    }

    /// The tasks with slots in this span, in the order of the manifest.
    var tasks: [TaskDefinition] {
        let seen = Set(replay.slots.map(\.task))
        return manifest.tasks.filter { seen.contains($0.identifier) }
    }

    /// Whether any task would ask a fleet, or be kept off this host by one.
    var asksFleet: Bool {
        isAnyHost || manifest.tasks.contains { $0.fleet.needsLease || !$0.fleet.labels.isEmpty }
    }
}
