public import LullModel

/// The result of reading a file of uses: when sessions of use began, and nothing else of the file.
///
/// Reading it changes nothing. Wrong lines are listed and skipped; the caller decides whether the rest counts.
public struct UsageImport: Sendable {
    /// The uses of one app in the file.
    public struct AppUses: Sendable, Equatable {
        public internal(set) var times = SessionTimes()
        /// How many lines they come from.
        public internal(set) var uses = 0
    }

    /// For messages: the path, or "standard input".
    public let name: String
    /// `auto` only for an empty file.
    public let format: ImportFormat
    /// Lines, records or commits that were read, without empty ones.
    public internal(set) var lines = 0
    /// Lines that do not match, or are of another app.
    public internal(set) var unmatched = 0
    public internal(set) var beforeSince = 0
    /// The errors in the first wrong lines, at most `problemCount`.
    public internal(set) var problems: [ImportProblem] = []
    /// How many lines are wrong in all.
    public internal(set) var refused = 0
    /// By app; an app without a use is absent.
    public internal(set) var apps: [AppIdentifier: AppUses] = [:]

    public static let problemCount = 20
    /// A longer line is refused.
    public static let lineBytes = LineSplitter.limit

    init(name: String, format: ImportFormat) {
        self.name = name
        self.format = format
    }

    /// Reads a file, standard input (`-`), or a Git repository, named by its folder or by a path in it.
    public static func read(_ path: String, options: ImportOptions) throws(ImportError) -> UsageImport {
        if options.format == .git || (options.format == .auto && GitHistory.isRepository(path)) {
            let input = try GitHistory.commits(of: path, author: options.author)
            return try read(input, as: .git, options)
        }
        return try read(try ImportInput.open(path), options: options)
    }

    /// Reads a log, JSON Lines or CSV.
    public static func read(_ input: ImportInput, options: ImportOptions) throws(ImportError) -> UsageImport {
        guard options.format == .auto else { return try read(input, as: options.format, options) }
        let head = try input.head()
        guard let format = try ImportFormat.detected(in: head, options: options, name: input.name) else {
            return UsageImport(name: input.name, format: .auto)
        }
        return try read(input, as: format, options)
    }

    private static func read(
        _ input: ImportInput, as format: ImportFormat, _ options: ImportOptions
    ) throws(ImportError) -> UsageImport {
        var reader = try ImportReader(input, format: format, options: options)
        switch format {
        case .common: try reader.readLog(in: input)
        case .jsonl: try reader.readObjects(in: input)
        case .csv: try reader.readRecords(in: input)
        case .git: try reader.readSeconds(in: input)
        case .auto: break
        }
        return reader.finished()
    }
}
