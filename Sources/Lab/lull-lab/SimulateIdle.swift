import LullCommands
import LullModel

/// When apps are idle in what was simulated: why nothing of them is launched then.
struct SimulateIdle {
    /// Of the simulation, in their order.
    let events: [HistoryEvent]
    /// Apps that are idle at its end.
    let idle: Set<AppIdentifier>
    let phrases: Phrases

    /// Nil: before it began, after it ended.
    private struct Span {
        var from: WallTime?
        var to: WallTime?
    }

    private func spans(of app: AppIdentifier) -> [Span] {
        var spans: [Span] = []
        for event in events where event.app == app {
            if event.event == .idled { spans.append(Span(from: event.time)) }
            guard event.event == .revived else { continue }
            if spans.isEmpty { spans.append(Span()) }
            spans[spans.count - 1].to = event.time
        }
        return spans.isEmpty && idle.contains(app) ? [Span()] : spans
    }

    /// A sentence for each app that is ever idle.
    func sentences(of manifest: Manifest) -> [String] {
        manifest.apps.filter(\.enabled).compactMap { app in
            let spans = spans(of: app.identifier)
            guard let first = spans.first, let idleAfter = app.idleAfter else { return nil }
            let more = spans.count > 1 ? ", and \(spans.count - 1) more times" : ""
            return "\(app.identifier) \(words(first))\(more): nobody uses it for longer than "
                + "\(Phrase.span(idleAfter)) (`idle_after`), so none of its tasks is launched then. "
                + "`lull used \(app.identifier)` records a use; `idle_after: never` keeps it going."
        }
    }

    private func words(_ span: Span) -> String {
        switch (span.from, span.to) {
        case (nil, nil): "is idle all the time"
        case (nil, let to?): "is idle until \(phrases.time(to)), when it is used again"
        case (let from?, nil): "goes idle \(phrases.when(from))"
        case (let from?, let to?):
            "is idle from \(phrases.time(from)) to \(phrases.time(to)), when it is used again"
        }
    }
}
