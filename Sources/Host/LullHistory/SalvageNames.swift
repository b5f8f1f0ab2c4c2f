import GRDB

/// The texts of a damaged history that rows hold by a number.
///
/// Each text is stored twice, in the table and in its index: an unreadable page of one loses no text that the other still has.
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
            // Reads up to the unreadable part, from either side.
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
