public import LullModel

/// The columns of the time and the app, detected from a file's first record.
struct CSVColumns {
    static let timeNames = [
        "time", "timestamp", "ts", "@timestamp", "date", "datetime", "unix_seconds", "unix", "epoch",
    ]

    /// From 0.
    var time: Int
    /// The column that names the app of each row.
    var app: Int?
    /// Whether the first record names the columns.
    var hasHeader: Bool

    /// Throws if no column holds the time, or neither the options nor the file name an app.
    init(
        _ first: CSVRecords.Record, options: ImportOptions, clock: ImportClock, name: String
    ) throws(ImportError) {
        let fields = first.fields.indices.map { first.text($0).trimmed }
        let names = fields.map { String(decoding: $0, as: UTF8.self).lowercased() }
        // For a message, which names twelve and whether there are more.
        let shown = fields.prefix(13).map { ImportProblem.shown($0, limit: 24) }
        if let column = options.column {
            if let number = Int(column), number >= 1 {
                time = number - 1
                // A heading has no digits, and a time that is written wrongly has.
                hasHeader = time < fields.count && !fields[time].contains(where: \.isDigit)
            } else if let index = names.firstIndex(of: column.lowercased()) {
                time = index
                hasHeader = true
            } else {
                throw .noColumn(column, path: name, columns: shown)
            }
        } else if let index = Self.timeNames.lazy.compactMap(names.firstIndex(of:)).first {
            time = index
            hasHeader = true
        } else if let index = fields.firstIndex(where: { clock.whole($0).map { $0 >= .y2000 } ?? false }) {
            time = index
            hasHeader = false
        } else {
            throw .noTimeColumn(path: name, columns: shown)
        }
        let isUsageFile = hasHeader && names.contains("app") && names.contains("unix_seconds")
        // In any other file a column of this name may mean something else.
        app = hasHeader && (options.app == nil || isUsageFile) ? names.firstIndex(of: "app") : nil
        if options.app == nil, app == nil { throw .noApp(path: name) }
    }
}

extension WallTime {
    /// An earlier time is taken for an error in the file.
    public static let y2000 = WallTime(seconds: 946_684_800)
}
