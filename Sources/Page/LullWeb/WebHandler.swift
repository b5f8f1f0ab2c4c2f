/// Turns a connection's request into the site's, and returns the answer to it.
struct WebHandler: Sendable {
    enum Answer: Sendable {
        case reply(WebReply)
        case live(LiveBody)
    }

    let site: WebSite
    let live: LiveStreams
    let turns: WebTurns

    func answer(_ head: HTTPHead) async -> Answer {
        let request = WebSite.Request(
            method: head.method, path: head.path, query: head.query,
            namesAlone: head.namesAlone, client: head.client,
            body: head.body, contentType: head.contentType, signature: head.signature)
        let answer =
            switch WebRoute(path: head.path) {
            case .history, .timeline, .runs, .run, .output: await turns.take { await site.answer(request) }
            case .page, .status, .why, .forecast, .transfers, .live, .metrics, .token, .host, .task, .app,
                .push, .fleet, .fleetMetrics, nil:
                await site.answer(request)
            }
        switch answer {
        case .reply(let reply): return .reply(reply)
        case .live(let mayListen):
            return .live(LiveBody(changes: await live.join(), mayListen: mayListen))
        }
    }
}
