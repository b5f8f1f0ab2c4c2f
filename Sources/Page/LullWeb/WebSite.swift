import Foundation
import LullAnswers
import LullControl
import LullHistory
import LullModel

/// The page, its JSON and `/metrics`: from a request to its reply, whatever transport carries them.
public actor WebSite {
    /// The parts of a request that are used.
    public struct Request: Sendable {
        public var method: String
        public var path: String
        public var query: [String: String]
        /// Names in the query without `=`.
        public var namesAlone: Set<String>
        public var client: WebGuard.Client
        /// Only of a push.
        public var body: [UInt8]
        public var contentType: String?
        public var signature: String?

        public init(
            method: String, path: String, query: [String: String] = [:],
            namesAlone: Set<String> = [], client: WebGuard.Client,
            body: [UInt8] = [], contentType: String? = nil, signature: String? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.namesAlone = namesAlone
            self.client = client
            self.body = body
            self.contentType = contentType
            self.signature = signature
        }
    }

    public enum Answer: Sendable {
        case reply(WebReply)
        /// Events for changes, as long as the client listens and may.
        case live(mayListen: @Sendable () -> Bool)
    }

    /// The most events in one answer.
    static let eventLimit = 50_000

    let answers: any WebAnswers
    let doors: WebGuard
    let pushes: PushGuard?
    private let version: String
    private let audit: @Sendable (String) -> Void
    let counts: MetricsCount

    /// `pushes`: nil where no pushes are taken; `audit` gets a line for each change: who made it, and what came of it.
    public init(
        answers: any WebAnswers, doors: WebGuard, pushes: PushGuard? = nil, version: String,
        audit: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.audit = audit
        self.answers = answers
        counts = MetricsCount(answers: answers)
        self.doors = doors
        self.pushes = pushes
        self.version = version
    }

    public nonisolated func answer(_ request: Request) async -> Answer {
        guard let route = WebRoute(path: request.path) else {
            // A client without access does not learn which paths exist.
            if let refusal = doors.refusal(of: request.client, at: .page) { return .reply(refusal) }
            return .reply(
                .refusal(404, "There is nothing at \(request.path). docs/web.md lists the paths."))
        }
        let door: WebGuard.Door = route.door
        if let refusal = doors.refusal(of: request.client, at: door) { return .reply(refusal) }
        guard request.method == route.method || (request.method == "HEAD" && route.method == "GET") else {
            var refusal = WebReply.refusal(
                405, "\(request.path) understands \(route.method) and not \(request.method).")
            refusal.allow = route.method == "GET" ? "GET, HEAD" : route.method
            return .reply(refusal)
        }
        if case .live = route {
            return .live { [doors] in doors.refusal(of: request.client, at: door) == nil }
        }
        do {
            if case .push(let app) = route { return .reply(try await push(to: app, request)) }
            if case .task(_, let act) = route { try Self.refuseParamsAlone(act, request) }
            let access = doors.access(of: request.client)
            if door == .changing, let access { return .reply(await carryOut(route, request, access)) }
            let showsPrinted = access?.permits(.output) ?? false
            var reply = try await reply(to: route, request.query, showsPrinted: showsPrinted)
            if door == .reading, !showsPrinted { reply.leaveOutPrinted() }
            if case .token = route, let access {
                reply = .done(OrderAnswer("The token is right: it may \(access.may)."))
            }
            return .reply(reply)
        } catch let refusal as WebRefusal {
            return .reply(.refusal(refusal.status, refusal.sentence, wait: refusal.wait))
        } catch {
            return .reply(.refusal(500, "\(error)"))
        }
    }

    /// A change, with a line of who made it.
    private nonisolated func carryOut(
        _ route: WebRoute, _ request: Request, _ access: WebGuard.Access
    ) async -> WebReply {
        var reply: WebReply
        do {
            if let refusal = access.refusal(on: try await app(of: route)) { throw refusal }
            reply = try await self.reply(to: route, request.query, showsPrinted: true, for: access.bearer)
        } catch let refusal as WebRefusal {
            reply = .refusal(refusal.status, refusal.sentence, wait: refusal.wait)
        } catch {
            reply = .refusal(500, "\(error)")
        }
        let result =
            reply.status != 200 ? "refused, \(reply.status)" : reply.wasSo ? "nothing to do" : "done"
        // The path of a known route holds names alone.
        audit("\(request.path), by \(access.words): \(result)")
        return reply
    }

    private nonisolated func reply(
        to route: WebRoute, _ query: [String: String], showsPrinted: Bool, for bearer: Bearer? = nil
    ) async throws -> WebReply {
        switch route {
        case .page(let file): WebReply(contentType: file.contentType, body: Data(file.bytes))
        case .status: WebReply(body: try await answers.status(TaskSlice(query)))
        case .why(let task): WebReply(body: try await answers.why(task, showsCommand: showsPrinted))
        case .forecast(let app): WebReply(body: try await answers.forecast(of: app))
        case .transfers(let app): WebReply(body: try await answers.transfers(of: app))
        case .history: try await history(query)
        case .timeline: try await timeline(query, showsPrinted: showsPrinted)
        case .runs: try await runs(query, showsPrinted: showsPrinted)
        case .run(let run): try await self.run(run)
        case .output(let run): try await output(of: run)
        case .metrics: try await metrics()
        case .fleet: try await fleet(query)
        case .fleetMetrics:
            WebReply(
                contentType: OpenMetrics.contentType, body: Data(try await answers.fleetMetrics().utf8))
        case .token: .refusal(500, "What a token may do depends on the token.")
        case .push: .refusal(500, "What is pushed is not asked for.")
        case .live: .refusal(500, "What is live has no end.")
        case .host(let act): try await carryOut(Self.order(act, query), for: bearer)
        case .task(let task, let act): try await carryOut(order(act, task, query), for: bearer)
        case .app(let app, let act): try await carryOut(Self.order(act, app, query), for: bearer)
        }
    }

    /// A line of `audit` for the host's log. `time`: nil where the log adds it.
    public static func logLine(_ line: String, at time: WallTime?) -> String {
        (time.map { $0.rfc3339 + " " } ?? "") + "Page: \(line)."
    }

    nonisolated func carryOut(_ order: any Order, for bearer: Bearer? = nil) async throws -> WebReply {
        .done(try await answers.carryOut(order, for: bearer), of: order)
    }

    private nonisolated func metrics() async throws -> WebReply {
        let known = try? await answers.report()
        let fold = try await counts.upToDate(tasks: known?.tasks.map(\.task))
        // The present state, read after the counting, which may have taken a while.
        let report = try? await answers.report()
        let setting = try? await answers.setting()
        let text = MetricsText(
            fold: fold, isUp: await answers.isRunning(), report: report,
            now: report?.time ?? setting?.now ?? LullModel.WallTime(seconds: 0),
            version: version, loads: (try? await answers.loads()) ?? [])
        return WebReply(contentType: OpenMetrics.contentType, body: Data(text.rendered.utf8))
    }
}
