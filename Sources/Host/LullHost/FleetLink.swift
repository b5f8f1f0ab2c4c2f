import LullFleet
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// This host's way to its fleet: the connection, and what goes through it beside the scheduler's calls. Nothing of it is there
/// without `fleet` in the manifest.
final class FleetLink {
    let connection: FleetConnection
    let mirror: FleetMirror
    let uses: FleetUses
    /// Nil: the host takes no manifest from the fleet.
    private(set) var follower: FleetFollower?
    private let reads: HistoryReads
    private var identity: FleetIdentity
    private let ways: FleetFollower.Ways

    init(
        _ definition: FleetDefinition, as identity: FleetIdentity, credentials: String?, on loop: EventLoop,
        _ reads: HistoryReads, _ ways: FleetFollower.Ways, found: @escaping ([Use]) -> Void
    ) throws(LoopError) {
        let connection = try FleetConnection(
            definition, credentials: credentials, on: loop, random: SystemRandomNumberGenerator())
        self.connection = connection
        (self.reads, self.identity, self.ways) = (reads, identity, ways)
        mirror = try FleetMirror(
            .init(host: identity.host, place: identity.place, name: identity.name), on: loop,
            read: { request, then in
                reads.run(within: Self.timeout) { (history) throws(HistoryError) in
                    try history.page(request)
                } then: {
                    then(Self.page($0))
                }
            }, call: connection.caller)
        uses = FleetUses(
            place: identity.place, clock: { Clock.monotonic }, wall: { Clock.wall }, call: connection.caller,
            found: { found($0.map { Use(app: $0.app, time: $0.time) }) })
    }

    private static let timeout: Duration = .seconds(30)

    private static func page(
        _ found: Result<MirrorPage, HistoryError>?
    ) -> Result<MirrorPage, FleetMirror.Unread> {
        switch found {
        case .success(let page): .success(page)
        case .failure(let error): .failure(.init(error.message))
        case nil: .failure(.init("The history did not answer."))
        }
    }

    /// Takes the fleet's manifests, if it is to, and shares the uses of the apps that say so; of new ones also those that the history has.
    func follow(_ manifest: Manifest) {
        if manifest.fleet?.follow != follower?.path {
            follower = manifest.fleet?.follow.map {
                FleetFollower($0, as: identity, call: connection.caller, ways)
            }
        }
        let shared = manifest.apps.filter(\.sharesUses).map(\.identifier)
        let new = Set(uses.unfollowed(among: shared))
        guard !new.isEmpty else { return uses.follow(shared, history: [:]) }
        let since = uses.oldest
        reads.run(within: Self.timeout) { (history) throws(HistoryError) in
            try history.uses(since: since)
        } then: { [weak self] found in
            let past = (try? found?.get()) ?? [:]
            self?.uses.follow(shared, history: past.filter { new.contains($0.key) })
        }
    }

    /// What the scheduler asks, with what the host has of the fleet's manifests.
    func completed(_ call: FleetCall) -> FleetCall {
        switch call {
        case .hello(var hello):
            hello.follows = follower.map { $0.has ?? .none }
            return .hello(hello)
        case .beat(var beat):
            beat.follows = follower?.has
            return .beat(beat)
        case .claim, .finish, .leave: return call
        }
    }

    /// What the database has answered, or that it is away.
    func note(_ answer: FleetAnswer) {
        switch answer {
        case .hello:
            mirror.connected()
            uses.connected()
        case .beat(let answer):
            uses.beat()
            follower?.heard(answer.manifest)
        case .claim, .finish, .leave: break
        }
    }

    /// The next hello is that of a host of this place.
    func move(to identity: FleetIdentity) {
        mirror.move(to: identity.place)
        uses.place = identity.place
        self.identity = identity
        follower?.place = identity.place
    }

    func disconnected() {
        mirror.disconnected()
        uses.disconnected()
    }

    func end() {
        disconnected()
        connection.end()
    }
}
