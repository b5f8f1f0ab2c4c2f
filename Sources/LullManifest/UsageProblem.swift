/// What is wrong with a source of use.
public enum UsageProblem: Sendable, Hashable {
    case notASource(Found)
    case logMissing(path: String)
    case logUnreadable(path: String)
    case logIsFolder(path: String)
    /// With the regex compiler's own words.
    case badExpression(String, words: String)
    case expressionTooLong(limit: Int)
    case expressionTooGreedy(limit: Int)
    case timeFormat(String, nearest: String?)
    /// A `%` with something after it that strptime does not know.
    case timeConversion(String, in: String)

    var message: String {
        switch self {
        case .notASource(let found): "`usage` takes manual or a list of logs, not \(found.phrase)"
        case .logMissing(let path): "there is no log \(quoted(path)): no use is learned from it"
        case .logUnreadable(let path): "the log \(quoted(path)) can't be read: no use is learned from it"
        case .logIsFolder(let path): "the log \(quoted(path)) is a folder"
        case .badExpression(let text, let words): "\(quoted(text)) is no regular expression: \(words)"
        case .expressionTooLong(let limit): "the expression is longer than \(limit) bytes"
        case .expressionTooGreedy(let limit):
            "the expression repeats more than \(limit) times, all `{…}` multiplied"
        case .timeFormat(let text, _): "`time` is common, rfc3339 or a strptime format, not \(quoted(text))"
        case .timeConversion(let conversion, let text):
            "strptime does not know \(quoted(conversion)) in \(quoted(text))"
        }
    }

    var fix: String {
        switch self {
        case .notASource:
            "write `usage: manual`, or a list: `- { log: /var/log/nginx/access.log, time: common }`"
        case .logMissing: "mend the path, or leave it if the log is yet to come"
        case .logUnreadable(let path): "let lull read it, for example `setfacl -m u:USER:r \(path)`"
        case .logIsFolder: "name the file in it"
        case .badExpression:
            "write a POSIX extended regular expression; a `\\` before a character takes its meaning away"
        case .expressionTooLong, .expressionTooGreedy:
            "match less of the line: a use needs only what tells it from other lines"
        case .timeFormat(_, let nearest?): "did you mean `\(nearest)`?"
        case .timeFormat(_, nil): "write a format such as `time: \"%Y-%m-%d %H:%M:%S\"`"
        case .timeConversion: "see `man strptime`; a per cent sign of its own is `%%`"
        }
    }
}
