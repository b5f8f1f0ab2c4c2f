import LullFleet
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// This host's link to its fleet: the connection, and what uses it beside the scheduler: the mirror, shared uses,
/// manifests. It exists only if the manifest has `fleet`.
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

    /// Follows the fleet's manifests if asked to, and shares the uses of the apps that opt in; for newly sharing apps
    /// also those in the history.
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

    /// The scheduler's call, completed with the fleet's manifest that this host has.
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

    /// Passes the database's answer on.
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

    /// Uses this identity from the next hello on.
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
