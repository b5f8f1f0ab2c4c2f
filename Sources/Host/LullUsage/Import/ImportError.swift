private import Glibc

/// Why a file of uses can't be read at all; `message` describes the error, `fix` the remedy.
public enum ImportError: Error, Sendable, Equatable {
    /// With an errno.
    case unreadable(path: String, code: Int32)
    case folder(path: String)
    /// Standard input is a pipe of compressed bytes.
    case compressedStream
    /// UTF-16.
    case wideText(path: String)
    /// A program that is needed to read it is not installed.
    case noProgram(String, path: String)
    /// A program that reads it failed; with the first line of its error output.
    case program(String, path: String, words: String)
    case unknownFormat(path: String, line: String)
    case noColumn(String, path: String, columns: [String])
    case noTimeColumn(path: String, columns: [String])
    /// `--match` is no regular expression.
    case badExpression(String)
    /// Neither the file nor the options name the app of the uses.
    case noApp(path: String)
    /// The first line, given here, is not app,unix_seconds,utc_offset_minutes.
    case notUsageFile(path: String, line: String)
    /// Lines that are wrong, in the file's order, and how many more there are.
    case lines([ImportProblem], more: Int)

    public var message: String {
        switch self {
        case .unreadable(let path, let code):
            "\(path): error: the file can't be read: \(String(cString: strerror(code)))."
        case .folder(let path):
            "\(path): error: this is a folder without a Git repository."
        case .compressedStream:
            "standard input: error: this is compressed."
        case .wideText(let path):
            "\(path): error: this text is UTF-16."
        case .noProgram(let program, let path):
            "\(path): error: `\(program)`, which reads it, is not installed."
        case .program("gzip", let path, let words):
            "\(path): error: the compressed file is damaged\(words.isEmpty ? "" : ": gzip says '\(words)'")."
        case .program(let program, let path, let words):
            "\(path): error: `\(program)` can't read it\(words.isEmpty ? "" : ": '\(words)'")."
        case .unknownFormat(let path, let line):
            "\(path):1:1: error: '\(line)' does not show which format this is."
        case .noColumn(let name, let path, let columns):
            "\(path):1:1: error: no column is named '\(name)'\(Self.list(columns))."
        case .noTimeColumn(let path, let columns):
            "\(path):1:1: error: no column is named or holds a time\(Self.list(columns))."
        case .badExpression(let text):
            "--match: error: '\(text)' is not a POSIX extended regular expression."
        case .noApp(let path):
            "\(path): error: nothing says which app these uses are of."
        case .notUsageFile(let path, let line):
            "\(path):1:1: error: '\(line)' is not the first line of a usage file."
        case .lines(let problems, let more):
            (problems.map(\.description) + (more > 0 ? ["… and \(more) more."] : [])).joined(separator: "\n")
        }
    }

    public var fix: String {
        switch self {
        case .unreadable(_, ENOENT): "Check the path."
        case .unreadable: "Does it exist, and may this user read it?"
        case .folder: "Name a file, or a folder with a Git repository."
        case .compressedStream: "Write `gzip -dc FILE | lull usage import APP -`, or name the file."
        case .wideText: "Convert it: `iconv -f UTF-16 -t UTF-8 FILE > OTHER`."
        case .noProgram(let program, _): "Install it, for example with `apt-get install \(program)`."
        case .program("gzip", _, _):
            "Nothing was imported. Fetch the file again, or unpack what is left with zcat."
        case .program: "Check the path, and that this user may read the repository."
        case .unknownFormat:
            "Give --format common, jsonl, csv or git, and --time if the time has an unusual format."
        case .noColumn: "Write the name as in the first line, or the column's number, from 1."
        case .noTimeColumn: "Say with --column which one it is, and with --time how its time is written."
        case .badExpression: "Close its brackets and braces, and write a mark such as ( or [ as \\( or \\[."
        case .noApp: "Name the app: lull usage import APP FILE. Or give the file a column 'app'."
        case .notUsageFile: "It has to be app,unix_seconds,utc_offset_minutes."
        case .lines: "Correct the lines."
        }
    }

    private static func list(_ columns: [String]) -> String {
        let shown = columns.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
        return columns.isEmpty ? "" : "; there are " + shown + (columns.count > 12 ? ", …" : "")
    }
}
