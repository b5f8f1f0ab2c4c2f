import LullHistory
import LullModel

/// Reads a file of uses line by line, and takes only the time from a line, and the app from a CSV record.
struct ImportReader {
    private let options: ImportOptions
    private let clock: ImportClock
    private let pattern: LineExpression?
    private var result: UsageImport

    init(_ input: ImportInput, format: ImportFormat, options: ImportOptions) throws(ImportError) {
        self.options = options
        let time = format == .git ? ImportTime.unix : options.time
        clock = ImportClock(time: time, zone: options.zone, now: options.now)
        pattern = options.match.flatMap { LineExpression($0) }
        if let match = options.match, pattern == nil { throw .badExpression(match) }
        result = UsageImport(name: input.name, format: format)
        if options.app == nil, format != .csv { throw .noApp(path: input.name) }
    }

    func finished() -> UsageImport { result }

    // MARK: - Formats

    mutating func readLog(in input: ImportInput) throws(ImportError) {
        try forEachLine(in: input) { reader, line, number in
            guard let time = reader.clock.first(in: line) else {
                let expected = reader.options.time == .automatic ? .format(.common) : reader.options.time
                return reader.refuse(number, 1, .noTime(expected))
            }
            reader.take(time, of: reader.options.app, at: number, 1)
        }
    }

    mutating func readSeconds(in input: ImportInput) throws(ImportError) {
        try forEachLine(in: input) { reader, line, number in
            guard let time = reader.clock.whole(line) else {
                return reader.refuse(
                    number, 1, .wrongTime(found: ImportProblem.shown(line), reader.clock.time))
            }
            reader.take(time, of: reader.options.app, at: number, 1)
        }
    }

    mutating func readObjects(in input: ImportInput) throws(ImportError) {
        let field = JSONTimeField(options.field)
        try forEachLine(in: input) { reader, line, number in
            do throws(JSONTimeField.Failure) {
                let (text, column) = try field.value(in: line)
                guard let time = reader.clock.whole(text[...]) else {
                    let found = ImportProblem.shown(text)
                    return reader.refuse(number, column, .wrongTime(found: found, reader.clock.time))
                }
                reader.take(time, of: reader.options.app, at: number, column)
            } catch {
                reader.refuse(number, error.column, error.fault)
            }
        }
    }

    mutating func readRecords(in input: ImportInput) throws(ImportError) {
        var records = CSVRecords(input)
        var record = CSVRecords.Record()
        var columns: CSVColumns?
        while try records.next(into: &record) {
            if record.problem == nil, record.isBlank { continue }
            if columns == nil, record.problem == nil {
                let found = try CSVColumns(record, options: options, clock: clock, name: input.name)
                columns = found
                if found.hasHeader { continue }
            }
            result.lines += 1
            if let problem = record.problem {
                refuse(problem.line, problem.column, problem.fault)
                continue
            }
            if let columns { take(record, columns) }
        }
    }

    private mutating func take(_ record: CSVRecords.Record, _ columns: CSVColumns) {
        if let pattern, !pattern.matches(record.bytes[...]) {
            result.unmatched += 1
            return
        }
        guard max(columns.time, columns.app ?? 0) < record.fields.count else {
            let column = max(columns.time, columns.app ?? 0) + 1
            return refuse(record.line, 1, .fewColumns(record.fields.count, column: column))
        }
        let place = record.fields[columns.time]
        let text = record.text(columns.time)
        var app = options.app
        if let column = columns.app {
            let name = String(decoding: record.text(column).trimmed, as: UTF8.self)
            guard let named = AppIdentifier(options.prefix.map { $0 + "." + name } ?? name) else {
                let field = record.fields[column]
                return refuse(
                    field.line, field.column, .app(ImportProblem.shown(record.text(column))))
            }
            if let app, named != app {
                result.unmatched += 1
                return
            }
            app = named
        }
        guard let time = clock.whole(text) else {
            let found = ImportProblem.shown(text)
            return refuse(place.line, place.column, .wrongTime(found: found, clock.time))
        }
        take(time, of: app, at: place.line, place.column)
    }

    // MARK: - Lines

    private mutating func forEachLine(
        in input: ImportInput, _ body: (inout ImportReader, ArraySlice<UInt8>, Int) -> Void
    ) throws(ImportError) {
        var reader = ByteReader(input)
        var line: [UInt8] = []
        var number = 0
        while let fits = try reader.line(into: &line, limit: UsageImport.lineBytes) {
            number += 1
            defer { line.removeAll(keepingCapacity: true) }
            let text = line[...].trimmed
            if text.isEmpty, fits { continue }
            result.lines += 1
            if !fits {
                refuse(number, 1, .tooLong(limit: UsageImport.lineBytes))
            } else if let pattern, !pattern.matches(line[...]) {
                result.unmatched += 1
            } else {
                body(&self, line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], number)
            }
        }
    }

    private mutating func take(_ time: WallTime, of app: AppIdentifier?, at line: Int, _ column: Int) {
        guard time >= .y2000 else { return refuse(line, column, .early(time)) }
        guard time <= options.now + UsageSessions.slack else { return refuse(line, column, .future(time)) }
        guard time >= options.since else {
            result.beforeSince += 1
            return
        }
        guard let app else { return }
        result.apps[app, default: UsageImport.AppUses()].uses += 1
        result.apps[app]?.times.add(min(time, options.now))
    }

    private mutating func refuse(_ line: Int, _ column: Int, _ fault: ImportProblem.Fault) {
        result.refused += 1
        guard result.problems.count < UsageImport.problemCount else { return }
        result.problems.append(ImportProblem(path: result.name, line: line, column: column, fault: fault))
    }
}
