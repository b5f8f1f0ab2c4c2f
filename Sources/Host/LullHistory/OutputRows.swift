import Foundation
import GRDB
import LullModel

/// The output of runs in the table `output`; `RunOutput` has the rule of what is kept.
enum OutputRows {
    private static let selection = "SELECT start, stream, time, shared, bytes FROM output WHERE run = ?"
    private static let insertion =
        "INSERT OR REPLACE INTO output (run, start, stream, time, shared, bytes) VALUES (?, ?, ?, ?, ?, ?)"

    static func append(_ chunk: OutputChunk, _ db: Database) throws {
        let run = Int64(bitPattern: chunk.run.number)
        var last = try last(of: run, db)
        let pieces = RunOutput.pieces(of: chunk, at: (last?.end ?? 0) + chunk.skipped)
        for piece in pieces {
            let joined = last?.joined(with: piece) ?? piece
            try insert(joined, run: run, db)
            last = joined
        }
        guard let end = last?.end, end > RunOutput.headBytes + RunOutput.tailBytes else { return }
        try drop(to: RunOutput.cut(total: end), run: run, db)
    }

    static func output(of run: RunID, _ db: Database) throws -> RunOutput? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: selection + " ORDER BY start"), arguments: [Int64(bitPattern: run.number)]
        )
        var output = RunOutput(run: run, pieces: [])
        while let row = try rows.next() {
            guard let piece = piece(row) else { throw DamagedRow(table: "output", row: nil) }
            output.pieces.append(piece)
        }
        return output.pieces.isEmpty ? nil : output
    }

    static func insert(_ piece: RunOutput.Piece, run: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: insertion).execute(
            arguments: [
                run, piece.start, piece.stream.rawValue, piece.time.milliseconds, piece.isShared,
                Data(piece.bytes),
            ])
    }

    /// The piece whose five columns begin at `first`; nil if their values make no sense.
    static func piece(_ row: Row, from first: Int = 0) -> RunOutput.Piece? {
        guard let start = Int.fromDatabaseValue(row[first]),
            let stream = String.fromDatabaseValue(row[first + 1]).flatMap(OutputChunk.Stream.init(rawValue:)),
            let time = Int64.fromDatabaseValue(row[first + 2]),
            let isShared = Bool.fromDatabaseValue(row[first + 3]),
            let bytes = Data.fromDatabaseValue(row[first + 4])
        else { return nil }
        return RunOutput.Piece(
            start: start, stream: stream, time: WallTime(recorded: time), isShared: isShared,
            bytes: Array(bytes))
    }

    private static func last(of run: Int64, _ db: Database) throws -> RunOutput.Piece? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: selection + " ORDER BY start DESC LIMIT 1"), arguments: [run])
        guard let row = try rows.next() else { return nil }
        guard let piece = piece(row) else { throw DamagedRow(table: "output", row: nil) }
        return piece
    }

    /// Deletes the bytes between the head and the offset `cut`.
    private static func drop(to cut: Int, run: Int64, _ db: Database) throws {
        let head = RunOutput.headBytes
        try db.cachedStatement(
            sql:
                "DELETE FROM output WHERE run = ? AND start >= ? AND start < ? AND start + length(bytes) <= ?"
        ).execute(arguments: [run, head, cut, cut])
        try db.cachedStatement(
            sql: """
                UPDATE output SET bytes = substr(bytes, ? - start + 1), start = ?
                WHERE run = ? AND start >= ? AND start < ?
                """
        ).execute(arguments: [cut, cut, run, head, cut])
    }
}
