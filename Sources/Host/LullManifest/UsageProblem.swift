/// What is wrong with a source of use.
public enum UsageProblem: Sendable, Hashable {
    case notASource(Found)
    /// A list without entries.
    case noSources
    /// An entry without a key that says what it is.
    case saysNoSource
    case twoSources(Key, Key)
    case twice
    /// `match` or `time` beside a source that is no log.
    case onlyOfLogs(Key, Key)
    case logMissing(path: String)
    case logUnreadable(path: String)
    case logIsFolder(path: String)
    case accessMissing(path: String)
    case accessUnreadable(path: String)
    case userName(String, of: Key)
    case unitName(String)
    /// With the regex compiler's own words.
    case badExpression(String, words: String)
    case expressionTooLong(limit: Int)
    case expressionTooGreedy(limit: Int)
    case timeFormat(String, nearest: String?)
    /// A `%` with something after it that strptime does not know.
    case timeConversion(String, in: String)
    case timeTellsNoDay(String)
    case timeTellsNoHour(String)

    var isWarning: Bool {
        switch self {
        case .logMissing, .logUnreadable, .accessMissing, .accessUnreadable: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .notASource(let found): "`usage` takes manual or a list of sources, not \(found.phrase)"
        case .noSources: "`usage` lists no source"
        case .saysNoSource: "a source of `usage` is a log, login, journal or access, and this is none"
        case .twoSources(let first, let second):
            "a source of `usage` is one thing, and this is '\(first.rawValue)' and '\(second.rawValue)'"
        case .twice: "this source stands in the list for the second time"
        case .onlyOfLogs(let key, let kind):
            "'\(key.rawValue)' goes with a log, and this source is '\(kind.rawValue)'"
        case .logMissing(let path): "there is no log \(quoted(path)): no use is learned from it yet"
        case .logUnreadable(let path): "the log \(quoted(path)) can't be read: no use is learned from it"
        case .logIsFolder(let path): "the log \(quoted(path)) is a folder"
        case .accessMissing(let path): "there is no \(quoted(path)): no use is learned from it yet"
        case .accessUnreadable(let path):
            "\(quoted(path)) can't be read, so it can't be watched: no use is learned from it"
        case .userName(let text, _): "\(quoted(text)) is no user's name"
        case .unitName(let text): "\(quoted(text)) is no unit's name"
        case .badExpression(let text, let words): "\(quoted(text)) is no regular expression: \(words)"
        case .expressionTooLong(let limit): "the expression is longer than \(limit) bytes"
        case .expressionTooGreedy(let limit):
            "the expression repeats more than \(limit) times, all `{…}` multiplied"
        case .timeFormat(let text, _): "`time` is common, rfc3339 or a strptime format, not \(quoted(text))"
        case .timeConversion(let conversion, let text):
            "strptime does not know \(quoted(conversion)) in \(quoted(text))"
        case .timeTellsNoDay(let text): "the format \(quoted(text)) tells no day"
        case .timeTellsNoHour(let text): "the format \(quoted(text)) tells no hour"
        }
    }

    var fix: String {
        switch self {
        case .notASource, .noSources:
            "write `usage: manual`, or a list: `- { log: /var/log/nginx/access.log, time: common }`"
        case .saysNoSource:
            "write `log: PATH`, `login: USER`, `journal: { unit: NAME }` or `access: PATH`"
        case .twoSources: "make each an entry of the list, with a `-` of its own"
        case .twice: "take it out"
        case .onlyOfLogs(.match, .journal): "put it inside: `journal: { unit: NAME, match: 'opened' }`"
        case .onlyOfLogs: "take it out"
        case .logMissing: "mend the path, or leave it if the log is yet to come"
        case .accessMissing: "mend the path, or leave it if it is yet to come"
        case .logUnreadable(let path), .accessUnreadable(let path):
            "let lull read it, for example `setfacl -m u:USER:r \(path)`"
        case .logIsFolder: "name the file in it"
        case .userName(_, of: .user): "write a name of `getent passwd`"
        case .userName: "write a name of `getent passwd`, or `login: any` for everybody"
        case .unitName: "write a name of `systemctl list-units`, such as `unit: nginx.service`"
        case .badExpression:
            "write a POSIX extended regular expression; a `\\` before a character takes its meaning away"
        case .expressionTooLong, .expressionTooGreedy:
            "match less of the line: a use needs only what tells it from other lines"
        case .timeFormat(_, let nearest?): "did you mean `\(nearest)`?"
        case .timeFormat(_, nil): "write a format such as `time: \"%Y-%m-%d %H:%M:%S\"`"
        case .timeConversion: "see `man strptime`; a per cent sign of its own is `%%`"
        case .timeTellsNoDay: "add `%d` with `%m` or `%b`, or `%j`, or `%s` alone"
        case .timeTellsNoHour: "add `%H`, or `%I` with `%p`"
        }
    }
}
