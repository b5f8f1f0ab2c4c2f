/// An error in the events of `on`.
public enum EventProblem: Sendable, Hashable {
    /// Neither a word that names an event nor a mapping.
    case notAnEvent(String, nearest: String?)
    case notAMapping(found: String)
    /// A mapping without a key that names the event.
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
    /// A path below folders whose files cause no events.
    case silentFiles(String)
    /// A path, or an invalid pattern, in place of a device's name.
    case isPathOfDevice(String)

    var isWarning: Bool {
        switch self {
        case .silentFiles: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .notAnEvent(let text, _): "\(quoted(text)) is not an event"
        case .notAMapping(let found): "an entry of `on` must be one event, not \(found)"
        case .saysNoEvent: "this entry of `on` names no event"
        case .twoEvents(let first, let second):
            "this entry of `on` names two events, `\(first.rawValue)` and `\(second.rawValue)`"
        case .none: "`on` names no event"
        case .twice: "this event is in the list already"
        case .tooMany(let limit): "a task may have \(limit) entries of `on` at most"
        case .settleWithoutPath: "`settle` is only for `path`, and this entry has no `path`"
        case .relativePath(let path): "\(quoted(path)) does not begin with a slash"
        case .patternInFolder(let path): "\(quoted(path)) has a pattern in the name of a folder"
        case .badPattern(let pattern): "\(quoted(pattern)) is not a pattern: a bracket is not closed"
        case .folderOfAll: "`/` can't be watched for files"
        case .anyDevice: "`device` has neither `name` nor `subsystem`, so it would mean every device"
        case .continuedHasEvents:
            "a person begins a continued task, so it can't have `on`"
        case .ofWildcard: "an event can't launch a wildcard: it does not say which identifier is meant"
        case .afterWildcard(let task): "\(quoted(task)) is a wildcard, but `after` must name one task"
        case .afterNone: "`after` names no task"
        case .unknownTask(let task, _): "`after` names \(quoted(task)), which is not a task of this manifest"
        case .circle(let tasks):
            tasks.count == 1
                ? "\(tasks[0]) would follow itself"
                : "`after` goes round in a circle: " + tasks.joined(separator: " follows ")
                    + " follows \(tasks[0])"
        case .silentFiles(let path):
            "the kernel reports no changes of files in \(path), so Lull can't watch them"
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
        case .settleWithoutPath: "take `settle` out, or add a `path`"
        case .relativePath: "write the whole path, such as `path: /srv/in`"
        case .patternInFolder: "use a pattern only in the last part: `path: /srv/in/*.csv`"
        case .badPattern: "write `[[]` for a bracket itself"
        case .folderOfAll: "name a folder, such as `path: /srv/in`"
        case .anyDevice: "write a name, such as `name: sd*`, or a subsystem, such as `subsystem: block`"
        case .continuedHasEvents: "take `on` out, or write `kind: processing`"
        case .ofWildcard: "list the task under its full name"
        case .afterWildcard: "name the task itself"
        case .afterNone:
            "name one, as in `after: fetch`"
        case .unknownTask(_, let nearest?): "write `\(nearest)`"
        case .unknownTask:
            "name a task of this manifest; write a task of another app in full: `com.example.App.task`"
        case .circle: "take out one `after` of the circle"
        case .silentFiles: "use `device`, `network` or `external_power` for what the kernel reports"
        case .isPathOfDevice(let text): "write `\(text.split(separator: "/").last.map(String.init) ?? "sd*")`"
        }
    }
}
