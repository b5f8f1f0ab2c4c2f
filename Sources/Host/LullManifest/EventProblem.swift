/// What can be wrong with the events of `on`.
public enum EventProblem: Sendable, Hashable {
    /// Neither a word that names an event nor a mapping.
    case notAnEvent(String, nearest: String?)
    case notAMapping(found: String)
    /// A mapping without a key that says what is waited for.
    case saysNoEvent
    case twoEvents(Key, Key)
    case none
    case twice
    case tooMany(limit: Int)
    case settleWithoutPath
    case relativePath(String)
    /// A pattern in a folder's name, and not in its files'.
    case patternInFolder(String)
    case badPattern(String)
    case folderOfAll
    case anyDevice
    case continuedHasEvents
    case ofWildcard
    case afterWildcard(String)
    case afterNone
    case unknownTask(String, nearest: String?)
    /// From a task back to itself.
    case circle([String])
    /// Below the folders whose files announce nothing.
    case silentFiles(String)
    /// A name in the subsystem that no device has.
    case isPathOfDevice(String)

    var isWarning: Bool {
        switch self {
        case .silentFiles: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .notAnEvent(let text, _): "\(quoted(text)) is no event"
        case .notAMapping(let found): "an entry of `on` names one event, and this is \(found)"
        case .saysNoEvent: "this entry of `on` names no event"
        case .twoEvents(let first, let second):
            "this entry of `on` names two events, `\(first.rawValue)` and `\(second.rawValue)`"
        case .none: "`on` names no event"
        case .twice: "this event is in the list already"
        case .tooMany(let limit): "a task may have \(limit) entries of `on` at most"
        case .settleWithoutPath: "`settle` says how long a file has to be left alone, and there is no `path`"
        case .relativePath(let path): "\(quoted(path)) does not begin with a slash"
        case .patternInFolder(let path): "\(quoted(path)) has a pattern in the name of a folder"
        case .badPattern(let pattern): "\(quoted(pattern)) is no pattern: a bracket is not closed"
        case .folderOfAll: "`/` is no folder of files to wait for"
        case .anyDevice: "`device` has neither `name` nor `subsystem`, so each device would do"
        case .continuedHasEvents:
            "a task of the kind continued is begun by a person, and not by events"
        case .ofWildcard: "a wildcard permits identifiers, and no event can tell which of them is meant"
        case .afterWildcard(let task): "\(quoted(task)) is a wildcard, and `after` follows one task"
        case .afterNone: "`after` names no task"
        case .unknownTask(let task, _): "`after` names \(quoted(task)), which is no task of this manifest"
        case .circle(let tasks):
            tasks.count == 1
                ? "\(tasks[0]) would follow itself"
                : "`after` goes round in a circle: " + tasks.joined(separator: " follows ")
                    + " follows \(tasks[0])"
        case .silentFiles(let path):
            "nothing is told of files in \(path): the kernel makes them up as they are read"
        case .isPathOfDevice(let text): "\(quoted(text)) is a path, and `device` takes the name in /dev"
        }
    }

    var fix: String {
        switch self {
        case .notAnEvent(_, let nearest?): "write `\(nearest)`"
        case .notAnEvent, .notAMapping, .saysNoEvent, .none:
            "write one of \(alternatives(ManifestDecoder.eventWords)), or `path: /srv/in`, `after: fetch`, `device: sd*`"
        case .twoEvents: "make two entries of it: each starts the task by itself"
        case .twice: "take it out"
        case .tooMany: "watch a folder, or a pattern of names, instead of single files"
        case .settleWithoutPath: "take `settle` out, or write `path` beside it"
        case .relativePath: "write the whole path, such as `path: /srv/in`"
        case .patternInFolder: "write a pattern in the last part alone: `path: /srv/in/*.csv`"
        case .badPattern: "write `[[]` for a bracket itself"
        case .folderOfAll: "name a folder, such as `path: /srv/in`"
        case .anyDevice: "write a name, such as `name: sd*`, or a subsystem, such as `subsystem: block`"
        case .continuedHasEvents: "take `on` out, or write `kind: processing`"
        case .ofWildcard: "list the task by its own name"
        case .afterWildcard: "name the task itself"
        case .afterNone:
            "name one, as in `after: fetch`"
        case .unknownTask(_, let nearest?): "write `\(nearest)`"
        case .unknownTask: "name a task of this manifest, one of another app in full: `com.example.App.task`"
        case .circle: "take out one `after` of the circle"
        case .silentFiles: "use `device`, `network` or `external_power` for what the kernel tells of itself"
        case .isPathOfDevice(let text): "write `\(text.split(separator: "/").last.map(String.init) ?? "sd*")`"
        }
    }
}
