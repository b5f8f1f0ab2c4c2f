import GRDB
import LullModel

/// One statement for rows of `events`, in the query's order.
struct EventBranch {
    var sql: String
    var arguments: StatementArguments
}

extension HistoryQuery {
    /// The events of every run. All other events are rare in comparison, and an index finds them by name.
    private static let usual: [HistoryEvent.Name] = [.submitted, .deferred, .launched, .completed]
    static let rare = "event NOT IN (\(codes(usual)))"

    private static func codes(_ names: some Sequence<HistoryEvent.Name>) -> String {
        names.compactMap { Words.number(of: $0.rawValue) }.sorted().map(String.init).joined(separator: ", ")
    }

    fileprivate var isOfRare: Bool { !names.isEmpty && names.isDisjoint(with: Self.usual) }

    static func condition(_ names: Set<HistoryEvent.Name>) -> String { "event IN (\(codes(names)))" }
}

extension EventTable {
    /// For an app with this many tasks or more, all events are searched.
    private static let mostBranches = 64

    /// The query as statements, each of which an index serves in the query's order; their results have to be merged.
    func branches(of query: HistoryQuery) throws -> [EventBranch] {
        guard query.run == nil, query.request == nil else { return [try branch(query)] }
        if query.isOfRare {
            return try query.names.sorted { $0.rawValue < $1.rawValue }.map { name in
                try branch(query, names: [name], also: HistoryQuery.rare)
            }
        }
        guard let app = query.app, query.task == nil else { return [try branch(query)] }
        let keys = try Name.fetchAll(
            db, sql: "SELECT task FROM tasks WHERE app = ? LIMIT \(Self.mostBranches)",
            arguments: [key(app.text)])
        guard keys.count < Self.mostBranches else { return [try branch(query)] }
        return try [branch(query, also: "task IS NULL")] + keys.map { try branch(query, taskKey: $0) }
    }

    private func branch(
        _ query: HistoryQuery, names: Set<HistoryEvent.Name>? = nil, also: String? = nil, taskKey: Name? = nil
    ) throws -> EventBranch {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func require(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        require("app = ?", try query.app.map { try key($0.text) })
        require("task = ?", try taskKey ?? query.task.map { try key($0.text) })
        require("request = ?", query.request.map { Int64(bitPattern: $0.number) })
        require("run = ?", query.run.map { Int64(bitPattern: $0.number) })
        require("time >= ?", query.since?.milliseconds)
        require("time < ?", query.until?.milliseconds)
        let names = names ?? query.names
        if !names.isEmpty { conditions.append(HistoryQuery.condition(names)) }
        if let also { conditions.append(also) }
        var sql = selection(brief: query.brief)
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        sql += query.order == .oldestFirst ? " ORDER BY time, seq" : " ORDER BY time DESC, seq DESC"
        if let limit = query.limit { sql += " LIMIT \(max(0, limit))" }
        return EventBranch(sql: sql, arguments: arguments)
    }
}

/// Merges the events of several statements into one order.
struct MergedRows {
    private struct Source {
        let rows: EventRows
        var head: (seq: Int64, event: HistoryEvent)
    }

    private var sources: [Source] = []
    private let order: HistoryQuery.Order

    init(_ branches: [EventBranch], _ order: HistoryQuery.Order, _ table: EventTable) throws {
        self.order = order
        for branch in branches {
            let rows = try EventRows(table, branch.sql, branch.arguments)
            if let head = try rows.next() { sources.append(Source(rows: rows, head: head)) }
        }
    }

    mutating func next() throws -> HistoryEvent? {
        guard var first = sources.indices.first else { return nil }
        for other in sources.indices.dropFirst() where isBefore(sources[other], sources[first]) {
            first = other
        }
        let event = sources[first].head.event
        if let head = try sources[first].rows.next() {
            sources[first].head = head
        } else {
            sources.remove(at: first)
        }
        return event
    }

    private func isBefore(_ one: Source, _ other: Source) -> Bool {
        let (a, b) = ((one.head.event.time, one.head.seq), (other.head.event.time, other.head.seq))
        return order == .oldestFirst ? a < b : a > b
    }
}
