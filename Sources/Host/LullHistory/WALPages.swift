import Foundation

/// Makes a database file from the pages of a WAL whose database is empty or gone.
///
/// SQLite's file format is a header of 32 bytes, then frames of 24 bytes and a page. A frame counts if it has the header's salt
/// and its checksums continue those before it. A frame that ends a commit says how many pages the database then has.
enum WALPages {
    private static let header = 32
    private static let frameHeader = 24

    /// Nil if no commit can be read. Pages that are not in the WAL are taken from `model` or are empty.
    static func database(from wal: Data, model: Data) -> Data? {
        let bytes = [UInt8](wal)
        guard bytes.count > header, word(bytes, 0) & ~1 == 0x377F_0682 else { return nil }
        let page = Int(word(bytes, 8))
        guard (512...65_536).contains(page), page & (page - 1) == 0 else { return nil }
        let isBig = word(bytes, 0) & 1 == 1
        var sums = sum(bytes[0..<24], (0, 0), isBig)
        guard sums == (word(bytes, 24), word(bytes, 28)) else { return nil }
        var pages: [Int: Int] = [:]
        var waiting: [Int: Int] = [:]
        var count = 0
        var place = header
        while place + frameHeader + page <= bytes.count {
            guard word(bytes, place + 8) == word(bytes, 16), word(bytes, place + 12) == word(bytes, 20) else {
                break
            }
            sums = sum(bytes[place..<place + 8], sums, isBig)
            sums = sum(bytes[place + frameHeader..<place + frameHeader + page], sums, isBig)
            guard sums == (word(bytes, place + 16), word(bytes, place + 20)) else { break }
            waiting[Int(word(bytes, place))] = place + frameHeader
            let ends = Int(word(bytes, place + 4))
            if ends > 0 {
                pages.merge(waiting) { $1 }
                waiting = [:]
                count = ends
            }
            place += frameHeader + page
        }
        guard count > 0, count <= 1 << 24 else { return nil }
        var database = Data(count: count * page)
        let known = min(model.count, database.count)
        database.replaceSubrange(0..<known, with: model.prefix(known))
        for (number, start) in pages where (1...count).contains(number) {
            database.replaceSubrange((number - 1) * page..<number * page, with: bytes[start..<start + page])
        }
        // The mode with a rollback journal: no WAL belongs to the file.
        database[18] = 1
        database[19] = 1
        return database
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }

    private static func sum(
        _ bytes: ArraySlice<UInt8>, _ start: (UInt32, UInt32), _ isBig: Bool
    ) -> (UInt32, UInt32) {
        var (first, second) = start
        var place = bytes.startIndex
        func next() -> UInt32 {
            defer { place += 4 }
            let word = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[place + $1]) }
            return isBig ? word : word.byteSwapped
        }
        while place < bytes.endIndex {
            first &+= next() &+ second
            second &+= next() &+ first
        }
        return (first, second)
    }
}
