public import LullModel

/// One use in a usage file.
public struct UsageRow: Sendable, Hashable {
    /// As written in the file; not always a valid identifier.
    public var app: String
    public var time: WallTime
    /// Local time was UTC plus this many minutes.
    public var offsetMinutes: Int

    public init(app: String, time: WallTime, offsetMinutes: Int) {
        self.app = app
        self.time = time
        self.offsetMinutes = offsetMinutes
    }
}

/// A file of many apps' uses: CSV with the columns `app,unix_seconds,utc_offset_minutes`, plain or compressed.
public enum UsageFile {
    /// Problems beyond this many are only counted.
    static let problemCount = 20

    /// All rows in the file's order; `-` is standard input. Throws `.lines` if any row is wrong.
    public static func read(_ path: String) throws(ImportError) -> [UsageRow] {
        try read(try ImportInput.open(path))
    }

    public static func read(_ input: ImportInput) throws(ImportError) -> [UsageRow] {
        var records = CSVRecords(input)
        var record = CSVRecords.Record()
        var rows: [UsageRow] = []
        var problems: [ImportProblem] = []
        var count = 0
        guard try records.next(into: &record), record.problem == nil, let columns = Columns(record) else {
            throw .notUsageFile(path: input.name, line: ImportProblem.shown(record.bytes))
        }
        // Names repeat: each string is created once.
        var names: [ArraySlice<UInt8>: String] = [:]
        while try records.next(into: &record) {
            if record.problem == nil, record.isBlank { continue }
            do throws(ImportProblem) {
                rows.append(try columns.row(record, path: input.name, names: &names))
            } catch {
                count += 1
                if problems.count < problemCount { problems.append(error) }
            }
        }
        guard count == 0 else { throw .lines(problems, more: count - problems.count) }
        return rows
    }

    private struct Columns {
        let app: Int
        let time: Int
        let offset: Int

        init?(_ header: CSVRecords.Record) {
            let names = header.fields.indices.map { String(decoding: header.text($0).trimmed, as: UTF8.self) }
            guard let app = names.firstIndex(of: "app"), let time = names.firstIndex(of: "unix_seconds"),
                let offset = names.firstIndex(of: "utc_offset_minutes")
            else { return nil }
            (self.app, self.time, self.offset) = (app, time, offset)
        }

        func row(
            _ record: CSVRecords.Record, path: String, names: inout [ArraySlice<UInt8>: String]
        ) throws(ImportProblem) -> UsageRow {
            func problem(_ field: Int, _ fault: ImportProblem.Fault) -> ImportProblem {
                let place = record.fields[field]
                return ImportProblem(path: path, line: place.line, column: place.column, fault: fault)
            }
            if let found = record.problem {
                throw ImportProblem(path: path, line: found.line, column: found.column, fault: found.fault)
            }
            guard max(app, time, offset) < record.fields.count else {
                let fault = ImportProblem.Fault.fewColumns(
                    record.fields.count, column: max(app, time, offset) + 1)
                throw ImportProblem(path: path, line: record.line, column: 1, fault: fault)
            }
            let (app, time, offset) = (record.text(app), record.text(time), record.text(offset))
            guard !app.isEmpty else { throw problem(self.app, .app("")) }
            guard let seconds = Self.number(time), (0...253_402_300_799).contains(seconds) else {
                throw problem(self.time, .wrongTime(found: ImportProblem.shown(time), .unix))
            }
            guard let minutes = Self.number(offset), (-1440...1440).contains(minutes) else {
                throw problem(self.offset, .offset(ImportProblem.shown(offset)))
            }
            let name: String
            if let known = names[app] {
                name = known
            } else {
                name = String(decoding: app, as: UTF8.self)
                names[ArraySlice(Array(app))] = name
            }
            return UsageRow(app: name, time: WallTime(seconds: Int64(seconds)), offsetMinutes: minutes)
        }

        /// Digits, perhaps with a sign.
        private static func number(_ text: ArraySlice<UInt8>) -> Int? {
            var digits = text.trimmed
            let isNegative = digits.first == UInt8(ascii: "-")
            if isNegative { digits.removeFirst() }
            guard (1...15).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return isNegative ? -number : number
        }
    }
}
