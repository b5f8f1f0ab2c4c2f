public import LullModel
public import LullSystem

/// Forwards this host's history to the fleet's database. Events are stored here first, and sent when they can be.
///
/// It asks the database for the last event that it has, and sends the history after that in order, a page at a time. After
/// a call with an unknown result it asks again, so no event is skipped, and the database takes each number once. A page that
/// is refused is sent in smaller pages, then in brief, and at last its event is left out, so that one event does not block
/// all others.
///
/// What every host records alike of a slot stays here: the database is told how many such events lie between two others,
/// so that it sees a gap only where events were deleted. They alone are reason for a call only seldom.
///
/// If the database has more events than this history, another history has the same place: `onForeign` is called, and the
/// host draws another place. Events that are older than this process, or that it has sent, are not sent there again.
///
/// After a call it pauses for as long as the call took: a backlog of days takes at most half of the connection's time, and
/// a claim waits for one page at most. With nothing to send, or without a connection, it does nothing at all.
public final class FleetMirror {
    private enum Phase: Equatable {
        case away
        /// Asks the database what it has.
        case asking
        case reading
        case sending
        /// Until the timer rings.
        case resting
        /// The database has all events.
        case idle
    }

    private var sender: Sender
    private let read: Read
    private let call: FleetCaller
    private let clock: () -> MonotonicTime
    private let arm: (MonotonicTime?) -> Void
    private var timer: LoopTimer?

    private var phase = Phase.away
    /// The next page begins after this number; nil: not known.
    private var cursor: Int64?
    /// The last number that the database has, by its last answer. A number that was left out is beyond it.
    private var confirmed: Int64 = 0
    /// How many events after `confirmed`, up to the cursor, stay here.
    private var withheld = 0
    /// When the database last answered a page.
    private var answered: MonotonicTime
    private var oldest: WallTime?
    /// The last number that this process has sent; nil: none.
    private var own: Int64?
    /// After a move to another place, older events are not sent there; nil: it has not moved.
    private var since: WallTime?
    /// The last number that this process had sent before that move: the earlier place has it.
    private var elsewhere: Int64 = 0
    private let start: WallTime
    /// Something was recorded since the last page was asked for.
    private var hasNews = true
    /// How many events the next page may have; fewer after a refusal.
    private var most = FleetMirror.events
    private var isBrief = false
    private var failures = 0
    /// The number of the connection: answers of an earlier one are ignored.
    private var round = 0
    private var began: MonotonicTime

    /// How many events are known to be unsent.
    public private(set) var backlog: Int64 = 0
    /// Why events do not arrive, a sentence with its remedy; nil: they do, or there is no connection.
    public private(set) var trouble: String?
    /// Called when `trouble` has changed.
    public var onTrouble: (String?) -> Void = { _ in }
    /// Called with a sentence when the database has more of this place than the history.
    public var onForeign: (String) -> Void = { _ in }

    /// `arm` schedules a call of `ring()` at an instant; nil cancels it.
    public init(
        _ sender: Sender, since start: WallTime, clock: @escaping () -> MonotonicTime,
        arm: @escaping (MonotonicTime?) -> Void, read: @escaping Read, call: @escaping FleetCaller
    ) {
        (self.sender, self.start, self.clock, self.arm) = (sender, start, clock, arm)
        (self.read, self.call) = (read, call)
        began = clock()
        answered = began
    }

    /// On the host's loop.
    public convenience init(
        _ sender: Sender, on loop: EventLoop, read: @escaping Read, call: @escaping FleetCaller
    ) throws(LoopError) {
        let ring = Ring()
        let timer = try LoopTimer(on: loop) { ring.mirror?.ring() }
        self.init(
            sender, since: Clock.wall, clock: { Clock.monotonic }, arm: { timer.arm($0) }, read: read,
            call: call)
        ring.mirror = self
        self.timer = timer
    }

    private final class Ring { weak var mirror: FleetMirror? }

    /// New events are durable in the history.
    public func recorded() {
        hasNews = true
        if phase == .idle { rest(Self.gathering) }
    }

    /// The database has answered this host's hello.
    public func connected() {
        round += 1
        failures = 0
        ask()
    }

    public func disconnected() {
        round += 1
        phase = .away
        cursor = nil
        arm(nil)
    }

    /// Gives this history another place. The next hello begins it.
    public func move(to place: String) {
        disconnected()
        sender.place = place
        since = start
        elsewhere = max(elsewhere, own ?? 0)
    }

    public func ring() {
        guard phase == .resting else { return }
        if cursor == nil { ask() } else { readOn() }
    }

    private func rest(_ span: Duration) {
        phase = .resting
        arm(clock() + span)
    }

    private func ask() {
        phase = .asking
        cursor = nil
        send("\"events\":[]") { [unowned self] answer in
            begin(after: answer)
            readOn()
        }
    }

    private func begin(after answer: FleetMirrorAnswer) {
        (cursor, confirmed, withheld) = (max(answer.through, elsewhere), answer.through, 0)
    }

    private func readOn() {
        guard let cursor else { return ask() }
        phase = .reading
        hasNews = false
        let request = MirrorPage.Request(
            after: cursor, events: most, bytes: Self.bytes, isBrief: isBrief,
            oldest: [oldest, since].compactMap { $0 }.max())
        let round = round
        read(request) { [weak self] found in
            guard let self, round == self.round, phase == .reading else { return }
            switch found {
            case .success(let page): took(page)
            case .failure(let unread):
                hasNews = true
                failed(unread.sentence)
            }
        }
    }

    private func took(_ page: MirrorPage) {
        backlog = max(0, page.last - page.through)
        guard let cursor, page.last >= cursor else {
            phase = .idle
            return onForeign(
                "The fleet's database has more of this host's history than the host itself: up to event \(cursor ?? 0), but the host has only \(page.last). The state folder was restored from a copy, or two hosts have copies of one."
            )
        }
        guard page.count > 0 || owes(page) else {
            failures = 0
            tell(nil)
            (self.cursor, withheld) = (page.through, withheld + page.withheld)
            return page.isFull ? rest(Self.breath) : settle()
        }
        phase = .sending
        let body = "\"after\":\(confirmed),\"before\":\(withheld)," + page.body
        send(body, refused: { [unowned self] in split(page, $0) }) { [unowned self] answer in
            guard answer.through >= page.through else { return reject(answer) }
            own = page.through
            (self.cursor, confirmed, withheld) = (answer.through, answer.through, 0)
            answered = clock()
            most = min(Self.events, most * 2)
            isBrief = false
            failures = 0
            tell(nil)
            if page.isFull { rest(clock() - began) } else { settle() }
        }
    }

    /// Whether a page of events that all stay here is reason for a call.
    private func owes(_ page: MirrorPage) -> Bool {
        let sum = withheld + page.withheld
        return sum >= Self.mostWithheld || (sum > 0 && clock() - answered >= Self.quiet)
    }

    /// After a failover the database may lack events that it had confirmed: they are sent again.
    private func reject(_ answer: FleetMirrorAnswer) {
        guard answer.through < confirmed else {
            return failed("The fleet's database did not accept the events of this host.")
        }
        begin(after: answer)
        hasNews = true
        rest(clock() - began)
    }

    /// All known events are sent; those that were recorded meanwhile are gathered.
    private func settle() {
        if hasNews {
            rest(Self.gathering)
        } else {
            phase = .idle
            arm(nil)
        }
    }

    /// The database refuses an event in the page: smaller pages find it, and then it is left out.
    private func split(_ page: MirrorPage, _ sentence: String) {
        // A page without events says only what stays here.
        guard page.count > 0 else { return failed(sentence) }
        hasNews = true
        if page.count > 1 {
            most = min(most, page.count / 2)
        } else if !isBrief {
            isBrief = true
        } else {
            (cursor, withheld) = (page.through, withheld + page.withheld)
            isBrief = false
            tell(
                "The fleet's database refuses event \(page.through) of this host, so Lull leaves it out: \(sentence)"
            )
        }
        rest(clock() - began)
    }

    private func failed(_ sentence: String) {
        cursor = nil
        failures += 1
        let span = Self.timeout * (1 << min(failures - 1, 5))
        tell(
            "The history of this host does not reach the fleet's database: \(sentence) Lull keeps trying, and nothing is lost meanwhile."
        )
        rest(min(span, Self.mostTimeout))
    }

    private func tell(_ sentence: String?) {
        guard sentence != trouble else { return }
        trouble = sentence
        onTrouble(sentence)
    }

    private func send(
        _ body: String, refused: ((String) -> Void)? = nil, then: @escaping (FleetMirrorAnswer) -> Void
    ) {
        began = clock()
        let round = round
        let names = JSONValue.object([
            "host": .string(sender.host), "place": .string(sender.place), "name": .string(sender.name),
        ])
        call("mirror_1", names.text.dropLast() + "," + body + "}") { [weak self] result in
            guard let self, round == self.round else { return }
            // The page may have been too large for the time that a call has.
            if phase == .sending, (try? result.get()) == nil { most = max(1, most / 2) }
            switch result {
            case .success(let text):
                guard let answer = FleetJSON.decode(FleetMirrorAnswer.self, text) else {
                    return failed("this version does not understand its answer.")
                }
                oldest = WallTime(recorded: answer.oldest)
                then(answer)
            case .failure(.refused(let sentence)):
                if let refused { refused(sentence) } else { failed(sentence) }
            case .failure(.failed(let sentence)): failed(sentence)
            case .failure(.away): disconnected()
            }
        }
    }
}

/// The answer of `mirror_1`.
struct FleetMirrorAnswer: Decodable {
    /// The last number that the database has.
    let through: Int64
    /// The database does not keep older events.
    let oldest: Int64
}
