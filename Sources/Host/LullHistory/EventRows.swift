import Foundation
import GRDB
import GRDBSQLite
import LullModel

/// The events that a statement on the table `events` finds, one by one.
///
/// A night has 30,000 events. Their columns are read from SQLite itself, because each column that goes through GRDB takes as
/// long as SQLite takes for the row.
struct EventRows {
    private let rows: RowCursor
    private let columns: StatementColumns
    private let table: EventTable

    init(_ table: EventTable, _ sql: String, _ arguments: StatementArguments) throws {
        let statement = try table.db.makeStatement(sql: sql)
        rows = try Row.fetchCursor(statement, arguments: arguments)
        columns = StatementColumns(statement: statement.sqliteStatement)
        self.table = table
    }

    func next() throws -> (seq: Int64, event: HistoryEvent)? {
        guard try rows.next() != nil else { return nil }
        return (columns.integer(0) ?? 0, try table.event(columns))
    }
}

/// The columns of a statement's current row.
protocol EventColumns {
    /// Nil if the column holds no number.
    func integer(_ column: Int) -> Int64?
    /// Nil if the column holds neither a number nor a text.
    func name(_ column: Int) -> Name?
    func bytes(_ column: Int) -> [UInt8]?
    func isNull(_ column: Int) -> Bool
}

extension Row: EventColumns {
    func integer(_ column: Int) -> Int64? { Int64.fromDatabaseValue(self[column]) }
    func name(_ column: Int) -> Name? { Name.fromDatabaseValue(self[column]) }
    func bytes(_ column: Int) -> [UInt8]? {
        if case .blob(let data) = (self[column] as DatabaseValue).storage { Array(data) } else { nil }
    }
    func isNull(_ column: Int) -> Bool { (self[column] as DatabaseValue).isNull }
}

/// Valid only while the statement's cursor is on a row.
private struct StatementColumns: EventColumns {
    let statement: SQLiteStatement

    private func type(_ column: Int) -> CInt { sqlite3_column_type(statement, CInt(column)) }

    func integer(_ column: Int) -> Int64? {
        switch type(column) {
        case SQLITE_INTEGER: sqlite3_column_int64(statement, CInt(column))
        case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, CInt(column)))
        default: nil
        }
    }

    func name(_ column: Int) -> Name? {
        switch type(column) {
        case SQLITE_INTEGER: .number(sqlite3_column_int64(statement, CInt(column)))
        case SQLITE_TEXT:
            sqlite3_column_text(statement, CInt(column)).map { .text(String(cString: $0)) }
        default: nil
        }
    }

    func bytes(_ column: Int) -> [UInt8]? {
        guard type(column) == SQLITE_BLOB else { return nil }
        let count = Int(sqlite3_column_bytes(statement, CInt(column)))
        let start = sqlite3_column_blob(statement, CInt(column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }
}
