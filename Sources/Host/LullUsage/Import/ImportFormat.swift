/// The format of a file of uses, as `--format` names it.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// Lines of a log with the time anywhere in them, in the common log format or as `--time` says.
    case common
    case jsonl
    case csv
    case git
    /// Detected from the file's content.
    case auto

    /// In words, for a summary.
    public var words: String {
        switch self {
        case .common: "a log"
        case .jsonl: "JSON Lines"
        case .csv: "CSV"
        case .git: "a Git history"
        case .auto: "empty"
        }
    }

    /// The name of the part of the file that holds one use.
    public var unit: String {
        switch self {
        case .common, .jsonl, .auto: "line"
        case .csv: "record"
        case .git: "commit"
        }
    }

    /// Detects the format of a text from its first lines; nil for an empty text. Throws if none fits.
    static func detected(in head: [UInt8], options: ImportOptions, name: String) throws(ImportError)
        -> ImportFormat?
    {
        if options.field != nil { return .jsonl }
        if options.column != nil { return .csv }
        let lines = head.split(separator: UInt8(ascii: "\n")).prefix(20).map(\.trimmed).filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        if first.first == UInt8(ascii: "{") { return .jsonl }
        let clock = ImportClock(time: options.time, zone: options.zone, now: options.now)
        let isLog = lines.contains { line in
            options.time == .automatic || options.time == .format(.common)
                ? clock.first(in: line) != nil && clock.whole(line) == nil : false
        }
        if isLog { return .common }
        if first.contains(UInt8(ascii: ",")) || clock.whole(first) != nil { return .csv }
        if CSVColumns.timeNames.contains(String(decoding: first, as: UTF8.self).lowercased()) { return .csv }
        if lines.contains(where: { clock.first(in: $0) != nil }) { return .common }
        throw .unknownFormat(path: name, line: ImportProblem.shown(first))
    }
}
