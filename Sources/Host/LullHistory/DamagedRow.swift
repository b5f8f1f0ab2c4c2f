/// A row that SQLite reads without an error, but whose values make no sense.
struct DamagedRow: Error {
    let table: String
    let row: Int64?

    var what: String {
        "row \(row.map(String.init) ?? "?") of the table '\(table)' can't be understood"
    }
}
