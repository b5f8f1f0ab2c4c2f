/// An error in a source of uses.
public enum UsageProblem: Sendable, Hashable {
    case notASource(Found)
    /// A list without entries.
    case noSources
    /// An entry without a key that names the kind of source.
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
        case .saysNoSource: "a source of `usage` needs one of the keys log, login, journal or access"
        case .twoSources(let first, let second):
            "a source of `usage` has one kind, but this one has '\(first.rawValue)' and '\(second.rawValue)'"
        case .twice: "this source appears twice in the list"
        case .onlyOfLogs(let key, let kind):
            "'\(key.rawValue)' is only for a log, and this source is '\(kind.rawValue)'"
        case .logMissing(let path): "there is no log \(quoted(path)), so Lull learns no uses from it yet"
        case .logUnreadable(let path): "the log \(quoted(path)) can't be read, so Lull learns no uses from it"
        case .logIsFolder(let path): "the log \(quoted(path)) is a folder"
        case .accessMissing(let path): "there is no \(quoted(path)), so Lull learns no uses from it yet"
        case .accessUnreadable(let path):
            "\(quoted(path)) can't be read, so Lull can't watch it for uses"
        case .userName(let text, _): "\(quoted(text)) is not a user's name"
        case .unitName(let text): "\(quoted(text)) is not a unit's name"
        case .badExpression(let text, let words): "\(quoted(text)) is not a regular expression: \(words)"
        case .expressionTooLong(let limit): "the expression is longer than \(limit) bytes"
        case .expressionTooGreedy(let limit):
            "the expression repeats more than \(limit) times, all `{…}` multiplied"
        case .timeFormat(let text, _):
            "`time` must be common, rfc3339 or a strptime format, not \(quoted(text))"
        case .timeConversion(let conversion, let text):
            "strptime does not know \(quoted(conversion)) in \(quoted(text))"
        case .timeTellsNoDay(let text): "the format \(quoted(text)) has no day"
        case .timeTellsNoHour(let text): "the format \(quoted(text)) has no hour"
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
        case .logMissing: "correct the path, or ignore this if the log will appear later"
        case .accessMissing: "correct the path, or ignore this if it will appear later"
        case .logUnreadable(let path), .accessUnreadable(let path):
            "let lull read it, for example `setfacl -m u:USER:r \(path)`"
        case .logIsFolder: "name the file in it"
        case .userName(_, of: .user): "write a user's name from `getent passwd`"
        case .userName: "write a user's name from `getent passwd`, or `login: any` for everybody"
        case .unitName: "write a unit's name from `systemctl list-units`, such as `unit: nginx.service`"
        case .badExpression:
            "write a POSIX extended regular expression; put a `\\` before a character that has a special meaning"
        case .expressionTooLong, .expressionTooGreedy:
            "match less of the line: only what distinguishes a use from other lines"
        case .timeFormat(_, let nearest?): "did you mean `\(nearest)`?"
        case .timeFormat(_, nil): "write a format such as `time: \"%Y-%m-%d %H:%M:%S\"`"
        case .timeConversion: "see `man strptime`; a per cent sign of its own is `%%`"
        case .timeTellsNoDay: "add `%d` with `%m` or `%b`, or `%j`, or `%s` alone"
        case .timeTellsNoHour: "add `%H`, or `%I` with `%p`"
        }
    }
}
