/// The uses of many apps, which a backtest replays.
///
/// Times are whole seconds since 1970 and uses, not requests for data: uses that lie close together are one session
/// in the files that this is made for, but nothing here depends on it.
public struct BacktestLog: Sendable, Equatable {
    /// One use, with the zone that its clock showed.
    public struct Use: Sendable, Equatable {
        public var app: String
        public var time: Int64
        /// Seconds east of UTC.
        public var offset: Int

        public init(app: String, time: Int64, offset: Int = 0) {
            self.app = app
            self.time = time
            self.offset = offset
        }
    }

    /// In the order of their names.
    public let apps: [BacktestApp]

    /// - Parameter idleAfter: for how many seconds after a use an app is live; the week rule's unless it has its own.
    public init(_ uses: [Use], idleAfter: (_ app: String) -> Int64 = { _ in BacktestApp.week }) {
        var places: [String: Int] = [:]
        var names: [String] = []
        var lists: [[(time: Int64, offset: Int)]] = []
        for use in uses {
            let place = places[use.app] ?? lists.count
            if place == lists.count {
                places[use.app] = place
                names.append(use.app)
                lists.append([])
            }
            lists[place].append((use.time, use.offset))
        }
        apps = names.indices.sorted { names[$0] < names[$1] }.map { place in
            let sorted = lists[place].sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }
            return BacktestApp(
                name: names[place], uses: sorted.map(\.time), shownOffsets: sorted.map(\.offset),
                idleAfter: idleAfter(names[place]))
        }
    }

    public var useCount: Int { apps.reduce(0) { $0 + $1.uses.count } }

    /// All uses in the order in which they happened, as they were given.
    public var uses: [Use] {
        apps.flatMap { app in
            app.uses.indices.map { Use(app: app.name, time: app.uses[$0], offset: app.shownOffsets[$0]) }
        }.sorted { ($0.time, $0.app, $0.offset) < ($1.time, $1.app, $1.offset) }
    }
}

/// The uses of one app, and which of them are scored.
public struct BacktestApp: Sendable, Equatable {
    public static let day: Int64 = 86_400
    public static let week: Int64 = 7 * day
    /// Monday 2026-01-05 00:00 UTC: where logs that reach over it are scored from.
    static let scoringStart: Int64 = 1_767_571_200

    public let name: String
    /// In ascending order.
    public let uses: [Int64]
    /// For how long it is live after a use, in seconds.
    public let idleAfter: Int64
    /// As the log has them.
    let shownOffsets: [Int]
    /// Seconds east of UTC at each use: the median of the last five, so that one odd entry moves nothing.
    public let offsets: [Int]
    /// The first and last second that are scored.
    public let from: Int64
    public let to: Int64
    /// The uses that are scored, as indices.
    public let scored: Range<Int>
    /// Days of the scored span in which the app is live.
    public let liveDays: Double

    /// There is one use at least.
    init(name: String, uses: [Int64], shownOffsets: [Int], idleAfter: Int64) {
        precondition(!uses.isEmpty, "an app of a log has been used")
        self.name = name
        self.uses = uses
        self.shownOffsets = shownOffsets
        self.idleAfter = idleAfter
        offsets = shownOffsets.indices.map { last in
            (0..<5).map { shownOffsets[max(0, last - $0)] }.sorted()[2]
        }
        let first = uses[0]
        let last = uses[uses.count - 1]
        let isOfThatTime = first < Self.scoringStart && Self.scoringStart < last
        // Of any other log the second half is scored.
        let from = isOfThatTime ? Self.scoringStart : first + (last - first) / 2
        self.from = from
        to = last
        scored = uses.lowerBound(of: from)..<uses.count
        var live: Int64 = 0
        for (index, use) in uses.enumerated() {
            let end = min(index + 1 < uses.count ? uses[index + 1] : last, use + idleAfter)
            live += max(0, min(end, last) - max(use, from))
        }
        liveDays = Double(live) / Double(Self.day)
    }

    /// Whether a launch at `time` is lawful: a use lies before it, and not too long before.
    public func isLive(at time: Double) -> Bool {
        let before = uses.lowerBound { Double($0) < time } - 1
        return before >= 0 && time - Double(uses[before]) <= Double(idleAfter)
    }
}

extension Array where Element: Comparable {
    /// The first place whose element is not below `value`; the array is ascending.
    func lowerBound(of value: Element) -> Int { lowerBound { $0 < value } }

    /// The first place whose element is above `value`.
    func upperBound(of value: Element) -> Int { lowerBound { $0 <= value } }

    func lowerBound(where isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
