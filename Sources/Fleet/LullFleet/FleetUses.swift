public import LullModel

/// A use of an app, on any host.
public struct FleetUse: Sendable, Hashable, Codable {
    public let app: AppIdentifier
    public let time: WallTime

    public init(app: AppIdentifier, time: WallTime) { (self.app, self.time) = (app, time) }

    private enum CodingKeys: String, CodingKey {
        case app
        case time = "at"
    }
}

/// Shares the uses of apps with `usage: fleet`: what is used here is used on all hosts, and what is used there, here.
///
/// It is called with the host's beats and has no timer of its own. The database and this object know a use by its app and its
/// millisecond: a use that is sent again, after a restart or by another host, changes nothing, and no use is handed over
/// twice. Uses older than `span` are ignored: no forecast learns from them.
public final class FleetUses {
    public static let span: Duration = .days(35)
    /// Uses of one call, each way; the database's limit.
    static let most = 500
    /// How often others' uses are fetched while there is nothing to send.
    public static let pause: Duration = .seconds(60)
    /// The most calls after one beat.
    static let calls = 20
    /// The most uses that wait for the database; beyond them the oldest are dropped.
    static let waiting = 50_000

    /// The state folder's place; a new value counts from the next call on.
    public var place: String
    private let clock: () -> MonotonicTime
    private let wall: () -> WallTime
    private let call: FleetCaller
    private let found: ([FleetUse]) -> Void

    private var apps: Set<AppIdentifier> = []
    private var known: [AppIdentifier: Set<WallTime>] = [:]
    private var unsent: [FleetUse] = []
    private var since: Int64?
    private var isConnected = false
    private var isAsking = false
    private var round = 0
    private var lastAsked: MonotonicTime?
    private var left = 0

    /// `found` is called on the loop with others' uses that this host did not know, oldest first.
    public init(
        place: String, clock: @escaping () -> MonotonicTime, wall: @escaping () -> WallTime,
        call: @escaping FleetCaller, found: @escaping ([FleetUse]) -> Void
    ) {
        (self.place, self.clock, self.wall) = (place, clock, wall)
        (self.call, self.found) = (call, found)
    }

    /// The new ones among these apps: `follow` needs the uses that the history has of them since `oldest`.
    public func unfollowed(among apps: [AppIdentifier]) -> [AppIdentifier] {
        apps.filter { !self.apps.contains($0) }
    }

    public var oldest: WallTime { wall() - Self.span }

    /// Shares the uses of these apps from now on. `history`: uses since `oldest` of those that are new; they are sent, too.
    public func follow(_ apps: [AppIdentifier], history: [AppIdentifier: [WallTime]]) {
        // The uses of the new apps may have numbers before the cursor.
        if !unfollowed(among: apps).isEmpty { since = nil }
        self.apps = Set(apps)
        known = known.filter { self.apps.contains($0.key) }
        unsent.removeAll { !self.apps.contains($0.app) }
        for (app, times) in history { for time in times { used(app, at: time) } }
        lastAsked = nil
    }

    /// An app was used here, and the use is durable in the history. Uses of other apps, and uses that are known already, as from
    /// other hosts, are not sent.
    public func used(_ app: AppIdentifier, at time: WallTime) {
        guard apps.contains(app), time >= oldest, known[app, default: []].insert(time).inserted else {
            return
        }
        unsent.append(FleetUse(app: app, time: time))
        if unsent.count > Self.waiting { unsent.removeFirst(unsent.count - Self.waiting) }
    }

    public func connected() {
        isConnected = true
        isAsking = false
        round += 1
        beat()
    }

    public func disconnected() {
        isConnected = false
        round += 1
    }

    /// The database has answered a beat: others' uses are asked for, if it is time.
    public func beat() {
        left = Self.calls
        let isDue = lastAsked.map { clock() - $0 >= Self.pause } ?? true
        if isDue || !unsent.isEmpty { ask() }
    }

    private func ask() {
        guard isConnected, !isAsking, left > 0, !apps.isEmpty else { return }
        left -= 1
        isAsking = true
        lastAsked = clock()
        prune()
        let sent = Array(unsent.prefix(Self.most))
        let round = round
        call("uses_1", question(sent)) { [weak self] result in
            guard let self, round == self.round else { return }
            isAsking = false
            // A call that fails is repeated at a later beat; the connection reports why.
            guard case .success(let text) = result,
                let answer = FleetJSON.decode(Answer.self, text)
            else { return }
            // `unsent` may have gained or dropped uses meanwhile, so the sent ones are removed by value.
            let done = Set(sent)
            unsent.removeAll { done.contains($0) }
            since = answer.cursor
            tell(answer.uses)
            // The answer is full of uses that are not settled yet: the next beat asks again, for those behind them.
            if answer.uses.count >= Self.most, !answer.more { lastAsked = nil }
            if answer.more || !unsent.isEmpty { ask() }
        }
    }

    private func tell(_ uses: [FleetUse]) {
        let oldest = oldest
        let new = uses.filter { use in
            apps.contains(use.app) && use.time >= oldest && use.time <= wall() + .days(1)
                && known[use.app, default: []].insert(use.time).inserted
        }
        if !new.isEmpty { found(new.sorted { ($0.time, $0.app) < ($1.time, $1.app) }) }
    }

    private func prune() {
        let oldest = oldest
        for app in known.keys where known[app]?.contains(where: { $0 < oldest }) == true {
            known[app] = known[app]?.filter { $0 >= oldest }
        }
    }

    private func question(_ uses: [FleetUse]) -> String {
        var members: [String: JSONValue] = [
            "place": .string(place), "apps": .array(apps.sorted().map { .string($0.text) }),
            "oldest": .integer(oldest.milliseconds),
            "uses": .array(
                uses.map { ["app": .string($0.app.text), "at": .integer($0.time.milliseconds)] }),
        ]
        if let since { members["since"] = .integer(since) }
        return JSONValue.object(members).text
    }

    private struct Answer: Decodable {
        let uses: [FleetUse]
        let cursor: Int64
        /// More uses wait.
        let more: Bool
    }
}
