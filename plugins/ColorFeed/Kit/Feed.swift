public import Foundation

/// A feed as its JSON has it; `entries(at:)` gives its entries at a time.
///
///     { "entries": [
///         { "id": "dawn", "daily": "06:30", "gradient": ["#d9a7c7", "#fffcdc"], "direction": 90 } ] }
///
/// An entry is current at its `time` (RFC 3339), or every day at its `daily` time of day (UTC), or, with
/// neither, when it is first fetched. A daily entry keeps a feed file useful on any day: it was current today
/// and yesterday, which is how far back a feed goes.
public struct Feed: Sendable, Equatable {
    /// How far back daily entries reach.
    public static let reach: TimeInterval = 2 * day
    private static let day: TimeInterval = 86_400

    private var lines: [Line]

    private struct Line: Equatable {
        var id: String
        var name: String
        var gradient: FeedEntry.Gradient
        var moment: Moment
    }

    private enum Moment: Equatable {
        case at(Date)
        case daily(secondsAfterMidnight: TimeInterval)
        case whenFetched
    }

    /// The entries that are current at `now` or were before, oldest first.
    public func entries(at now: Date) -> [FeedEntry] {
        lines.flatMap { line in
            times(of: line.moment, at: now).map {
                FeedEntry(
                    id: line.id, name: line.name, time: $0, gradient: line.gradient,
                    isDated: line.moment != .whenFetched
                )
            }
        }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    private func times(of moment: Moment, at now: Date) -> [Date] {
        switch moment {
        case .at(let time): return time <= now ? [time] : []
        case .whenFetched: return [now]
        case .daily(let seconds):
            let midnight = (now.timeIntervalSince1970 / Self.day).rounded(.down) * Self.day
            return [0, 1, 2].map { Date(timeIntervalSince1970: midnight - $0 * Self.day + seconds) }
                .filter { $0 <= now && now.timeIntervalSince($0) < Self.reach }
        }
    }
}

extension Feed {
    /// Reads a feed's JSON; messages call the feed `name`. Unknown keys are ignored: feeds grow.
    public init(json: Data, name: String) throws(ColorFeedError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: json)
        } catch let error as DecodingError {
            throw .malformed(feed: name, place: Self.place(of: error), finding: Self.finding(in: error))
        } catch {
            throw .malformed(feed: name, place: "the whole", finding: "not JSON.")
        }
        lines = []
        var seen: Set<String> = []
        for (index, entry) in document.entries.enumerated() {
            let line = try Self.line(entry, place: "entry \(index) (\"\(entry.id)\")", feed: name)
            guard seen.insert(entry.id).inserted else {
                throw .malformed(
                    feed: name, place: "entry \(index)",
                    finding: "the id \"\(entry.id)\" is taken by an earlier entry. Give each its own."
                )
            }
            lines.append(line)
        }
    }

    private struct Document: Decodable {
        var entries: [Entry]
    }

    private struct Entry: Decodable {
        var id: String
        var name: String?
        var time: String?
        var daily: String?
        var gradient: [String]
        var direction: Double?
    }

    private static func line(_ entry: Entry, place: String, feed: String) throws(ColorFeedError) -> Line {
        func refuse(_ finding: String) -> ColorFeedError {
            .malformed(feed: feed, place: place, finding: finding)
        }
        guard entry.gradient.count == 2, entry.gradient.allSatisfy(isColor) else {
            throw refuse("\"gradient\" is not two colours. Write them as [\"#d9a7c7\", \"#fffcdc\"].")
        }
        let moment: Moment
        switch (entry.time, entry.daily) {
        case (nil, nil):
            moment = .whenFetched
        case (let time?, nil):
            guard let date = date(time) else {
                throw refuse("\"time\" is \"\(time)\". Write it as \"2026-11-21T06:30:00Z\".")
            }
            moment = .at(date)
        case (nil, let daily?):
            guard let seconds = timeOfDay(daily) else {
                throw refuse("\"daily\" is \"\(daily)\". Write a time of day as \"06:30\".")
            }
            moment = .daily(secondsAfterMidnight: seconds)
        case (_?, _?):
            throw refuse("it has both \"time\" and \"daily\". Keep one.")
        }
        let gradient = FeedEntry.Gradient(
            first: entry.gradient[0], second: entry.gradient[1], direction: entry.direction ?? 0
        )
        return Line(id: entry.id, name: entry.name ?? entry.id, gradient: gradient, moment: moment)
    }

    private static func isColor(_ text: String) -> Bool {
        text.hasPrefix("#") && text.utf8.count == 7
            && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func date(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle()
        return (try? style.parse(text))
            ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    }

    private static func timeOfDay(_ text: String) -> TimeInterval? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = UInt(parts[0]), let minute = UInt(parts[1]), hour < 24, minute < 60
        else { return nil }
        return TimeInterval(hour * 3600 + minute * 60)
    }

    private static func place(of error: DecodingError) -> String {
        let path =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(_, let context):
                context.codingPath
            @unknown default: [any CodingKey]()
            }
        guard let index = path.compactMap(\.intValue).first else { return "the whole" }
        return "entry \(index)"
    }

    private static func finding(in error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\"\(context.codingPath.last?.stringValue ?? "it")\" has the wrong type."
        default: "it is not JSON. Look at the file with a JSON tool."
        }
    }
}
