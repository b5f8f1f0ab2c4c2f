import GRDB

/// The texts of a damaged history that rows have by a number.
///
/// They stand in it twice: in the table, and in the index that finds them. A page that can't be read costs none that the other
/// still has.
struct SalvageNames: RowNames {
    let texts: [Int64: String]

    func text(_ number: Int64) -> String? { Words.word(number) ?? texts[number] }

    static func texts(_ db: Database) -> [Int64: String] {
        var texts: [Int64: String] = [:]
        for order in ["text", "text DESC", "id", "id DESC"] {
            guard let rows = try? Row.fetchCursor(db, sql: "SELECT id, text FROM names ORDER BY \(order)")
            else {
                continue
            }
            // Up to where it can't be read, from either side.
            while let row = (try? rows.next()) ?? nil {
                guard let number = Int64.fromDatabaseValue(row[0]),
                    let text = String.fromDatabaseValue(row[1])
                else { continue }
                texts[number] = text
            }
        }
        return texts
    }
}
