private import Glibc
public import LullModel
public import LullSystem

/// This host's one connection to the fleet's database, on the loop.
///
/// The loop never waits for it: connections are made on a thread, statements are sent and answered as the socket allows. Each
/// call is answered once. A connection on which the database hangs is dropped after `timeout`. When a connection ends, all its
/// calls fail. The next is made after a random pause that grows from a second to a minute, so that hosts do not come back all
/// at once. Nothing is kept in the server's session, so that a pooler may stand between. Used on the loop's thread alone.
public final class FleetConnection {
    public enum State: Sendable, Equatable {
        case connecting
        case connected
        /// The next attempt is due at that time.
        case waiting(FleetTrouble, until: MonotonicTime)
        case ended
    }
    /// The priority of a call, the most urgent first.
    public enum Weight: Int, Sendable, CaseIterable {
        /// The calls that get leases and keep them.
        case lease
        /// The questions of people.
        case question
        /// The mirror of the history.
        case bulk
    }

    public let definition: FleetDefinition
    public private(set) var state = State.ended {
        didSet { if state != oldValue { onState?(state) } }
    }
    public var onState: ((State) -> Void)?
    /// Whether this host has leases or results: then it comes back before those that have none.
    public var hurries: () -> Bool = { false }

    private let loop: EventLoop
    private let dial: PostgresDial
    private let timeout: Duration
    /// A random factor for the length of a pause, 1 on average.
    private let share: () -> Double
    private var timer: LoopTimer?

    private var link: PostgresLink?
    private var watched: Int32?
    private var attempt: DialAttempt?
    private var pause = Pauses.first
    private var asks: [[Ask]] = Weight.allCases.map { _ in [] }
    private var current: Ask?
    /// The server's reply to `current` so far.
    private var reply: PostgresLink.Reply?
    private var deadline: MonotonicTime?
    /// Answered in the loop's next round, so that no caller is called back before its call has returned.
    private var refused: [(Ask, FleetTrouble)] = []

    /// In seconds.
    enum Pauses {
        static let (first, longest, longestInHurry) = (1.0, 60.0, 6.0)

        /// `share`: the random factor of this pause, 1 on average.
        static func next(after pause: Double, share: Double, hurries: Bool) -> Double {
            min(min(pause, hurries ? longestInHurry : longest) * share, longest)
        }
    }

    private struct Ask {
        let statement: String
        let json: String
        let then: (Result<String, FleetTrouble>) -> Void
    }

    /// Begins to connect. `credentials`: the folder in which systemd has put this host's.
    public init(
        _ definition: FleetDefinition, credentials: String? = nil, on loop: EventLoop,
        random: some RandomNumberGenerator, timeout: Duration = .seconds(10)
    ) throws(LoopError) {
        self.definition = definition
        self.loop = loop
        var random = random
        share = { Double.random(in: 0.5..<1.5, using: &random) }
        self.timeout = timeout
        dial = PostgresDial(
            database: definition.database, credentials: credentials, timeout: timeout,
            statementTimeout: timeout * 4 / 5)
        timer = try LoopTimer(on: loop) { [unowned self] in rang() }
        begin()
    }

    deinit { letGo() }

    /// Answers once, never before it returns. Without a connection the answer is the reason.
    public func call(_ call: FleetCall, then: @escaping (Result<FleetAnswer, FleetTrouble>) -> Void) {
        let place = definition.database
        func unreadable(_ error: any Error) -> FleetTrouble { .unreadable(place: place, words: "\(error)") }
        let json: String
        do { json = try call.json() } catch {
            return refuse(Ask(statement: "", json: "") { _ in then(.failure(unreadable(error))) }, .ended)
        }
        self.call(call.function, json, .lease) { result in
            then(
                result.flatMap { text in
                    do { return .success(try call.answer(text)) } catch { return .failure(unreadable(error)) }
                })
        }
    }

    /// Calls a function of the schema with JSON, which gives JSON.
    public func call(
        _ function: String, _ json: String, _ weight: Weight = .bulk,
        then: @escaping (Result<String, FleetTrouble>) -> Void
    ) {
        let name = FleetSchema.quoted(FleetSchema.name(of: definition.name))
        let ask = Ask(
            statement: "select \(name).\(FleetSchema.quoted(function))($1::jsonb)::text", json: json,
            then: then)
        switch state {
        case .connecting, .connected:
            asks[weight.rawValue].append(ask)
            pump()
        case .waiting(let trouble, _): refuse(ask, trouble)
        case .ended: refuse(ask, .ended)
        }
    }

    /// Closes the connection; all open calls fail with `ended`.
    public func end() {
        guard state != .ended else { return }
        letGo()
        deadline = nil
        state = .ended
        answerAll(.ended)
    }

    // The functions below are called in this order: `begin`, `dialled`, `pump` for each call, and `broke`.

    private func begin() {
        let attempt = DialAttempt()
        do throws(LoopError) {
            try attempt.begin(dial, on: loop) { [unowned self] result in dialled(result) }
        } catch {
            return broke(.unreachable(place: definition.database, words: error.message))
        }
        self.attempt = attempt
        // The thread gives up each server after `timeout`; only a name lookup may take longer.
        let servers = definition.database.count { $0 == "," } + 1
        deadline = Clock.monotonic + timeout * (servers + 1)
        arm()
        state = .connecting
    }

    private func dialled(_ result: Result<PostgresLink, FleetTrouble>) {
        attempt = nil
        do {
            let link = try result.get()
            self.link = link
            deadline = nil
            arm()
            try watch(link, writes: false)
            state = .connected
            pump()
        } catch let trouble as FleetTrouble {
            broke(trouble)
        } catch {
            broke(.broken(place: definition.database, words: "the loop can't watch it"))
        }
    }

    private func watch(_ link: PostgresLink, writes: Bool) throws(LoopError) {
        let interest: EventLoop.Interest = writes ? [.readable, .writable] : .readable
        try loop.watch(link.socket, interest) { [unowned self] interest in ready(interest) }
        watched = link.socket
    }

    /// Sends the next call, if the one before it is over.
    private func pump() {
        guard current == nil, let link, let first = asks.firstIndex(where: { !$0.isEmpty }) else { return }
        let ask = asks[first].removeFirst()
        (current, reply) = (ask, nil)
        deadline = Clock.monotonic + timeout
        arm()
        guard link.send(ask.statement, ask.json) else { return broke(words: link.words) }
        flush(link)
    }

    private func flush(_ link: PostgresLink) {
        guard let isSent = link.flush() else { return broke(words: link.words) }
        do throws(LoopError) { try watch(link, writes: !isSent) } catch { broke(words: error.message) }
    }

    private func ready(_ interest: EventLoop.Interest) {
        guard let link else { return }
        if interest.contains(.writable) {
            flush(link)
            guard self.link != nil else { return }
        }
        guard !interest.isDisjoint(with: [.readable, .hangup]) else { return }
        guard link.takeIn() else { return broke(words: link.words) }
        while !link.isBusy {
            guard let next = link.next() else { return over(link) }
            // Only the first reply counts: there is one statement.
            reply = reply ?? next
        }
    }

    private func over(_ link: PostgresLink) {
        guard !link.isBroken else { return broke(words: link.words) }
        guard let ask = current, let reply else { return }
        let place = definition.database
        switch reply {
        case .value(let text?): answer(ask, .success(text))
        case .value(nil): answer(ask, .failure(.unreadable(place: place, words: "it is empty")))
        case .fault(let state, let words):
            let trouble = FleetTrouble.refused(place: place, state: state, words: words)
            // The server takes no writes any more, is about to end, or has lost the connection: another server may be up.
            guard state != "25006", !state.hasPrefix("57P"), !state.hasPrefix("08") else {
                return broke(trouble)
            }
            answer(ask, .failure(trouble))
        }
    }

    private func answer(_ ask: Ask, _ result: Result<String, FleetTrouble>) {
        (current, reply, deadline, pause) = (nil, nil, nil, Pauses.first)
        arm()
        ask.then(result)
        pump()
    }

    private func broke(words: String) {
        broke(.broken(place: definition.database, words: words.isEmpty ? "the server closed it" : words))
    }

    private func broke(_ trouble: FleetTrouble) {
        letGo()
        let span = Pauses.next(after: pause, share: share(), hurries: hurries())
        pause = min(pause * 2, Pauses.longest)
        let next = Clock.monotonic + .seconds(span)
        deadline = next
        arm()
        state = .waiting(trouble, until: next)
        answerAll(trouble)
    }

    private func letGo() {
        if let watched { loop.forget(watched) }
        (watched, link) = (nil, nil)
        attempt?.giveUp()
        attempt = nil
    }

    private func answerAll(_ trouble: FleetTrouble) {
        let all = (current.map { [$0] } ?? []) + asks.flatMap { $0 }
        (current, reply) = (nil, nil)
        asks = Weight.allCases.map { _ in [] }
        for ask in all { ask.then(.failure(trouble)) }
    }

    private func refuse(_ ask: Ask, _ trouble: FleetTrouble) {
        refused.append((ask, trouble))
        arm()
    }

    private func arm() { timer?.arm(refused.isEmpty ? deadline : MonotonicTime(nanoseconds: 0)) }

    private func rang() {
        let late = refused
        refused = []
        for (ask, trouble) in late { ask.then(.failure(trouble)) }
        if let deadline, deadline <= Clock.monotonic {
            self.deadline = nil
            switch state {
            case .connected, .connecting: broke(.silent(place: definition.database, timeout))
            case .waiting: begin()
            case .ended: break
            }
        }
        arm()
    }
}
