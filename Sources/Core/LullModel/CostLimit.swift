/// What the runs of an app, or of all apps together, may cost in any span of this length.
public struct CostLimit: Sendable, Equatable, Codable {
    /// What can be limited of all that is measured of a run.
    public enum Figure: String, Sendable, Codable, CaseIterable { case processor, written, read }

    public var figure: Figure
    /// Milliseconds on the processors, or bytes.
    public var amount: Int64
    public var span: Duration

    public static let spans: ClosedRange<Duration> = .minutes(1) ... .days(400)

    public init(_ figure: Figure, _ amount: Int64, span: Duration) {
        (self.figure, self.amount, self.span) = (figure, amount, span)
    }

    /// "10 min 12 s", "1.9 s", "5.2 GiB"; a time is not rounded up, so that less than the limit does not look like it.
    package func text(of amount: Int64) -> String {
        guard figure == .processor else { return RunCost.size(amount) }
        return Phrase.span(.milliseconds(amount < 1000 ? amount : amount - amount % 100))
    }

    /// Behind "in the last": a day is "24 h" there.
    package var spanText: String { span == .days(1) ? "24 h" : Phrase.span(span) }
}

extension RunCost {
    public subscript(figure: CostLimit.Figure) -> Int64? {
        switch figure {
        case .processor: processor
        case .written: written
        case .read: read
        }
    }
}

/// Over which spans what a run cost counts: those of the limits that were in force at its end.
public struct CostSpans: Sendable, Equatable {
    public var app: [CostLimit.Figure: Duration] = [:]
    /// Of the limits for all apps together.
    public var host: [CostLimit.Figure: Duration] = [:]

    /// Nil: no limit concerns what the run cost.
    public init?(_ cost: RunCost, app: [CostLimit], host: [CostLimit]) {
        for limit in app where cost[limit.figure] ?? 0 > 0 { self.app[limit.figure] = limit.span }
        for limit in host where cost[limit.figure] ?? 0 > 0 { self.host[limit.figure] = limit.span }
        if self.app.isEmpty, self.host.isEmpty { return nil }
    }

    private static let places:
        [(String, WritableKeyPath<CostSpans, [CostLimit.Figure: Duration]> & Sendable)] = [
            ("", \.app), ("host_", \.host),
        ]

    private static func key(_ prefix: String, _ figure: CostLimit.Figure) -> String {
        prefix + figure.rawValue + "_span_ms"
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = [:]
        for (prefix, path) in Self.places {
            for (figure, span) in self[keyPath: path] {
                members[Self.key(prefix, figure)] = .integer(span.milliseconds)
            }
        }
        return .object(members)
    }

    /// Nil: it has no spans, or one that no limit can have.
    public init?(json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        for (prefix, path) in Self.places {
            for figure in CostLimit.Figure.allCases {
                switch members[Self.key(prefix, figure)] {
                case nil: break
                case .integer(let span)? where CostLimit.spans.contains(.milliseconds(span)):
                    self[keyPath: path][figure] = .milliseconds(span)
                default: return nil
                }
            }
        }
        if app.isEmpty, host.isEmpty { return nil }
    }
}
