import LullAnswers
public import LullModel

/// The tasks that an answer lists: a host may have thousands, and a page shows some. What it counts are all that are found.
public struct TaskSlice: Sendable, Equatable {
    /// Each has to be in a task's name, in whatever case.
    public var words: [String] = []
    /// Only tasks of these apps; empty: of any.
    public var apps: Set<AppIdentifier> = []
    public var task: TaskIdentifier?
    /// The most tasks, failing ones first; nil: all.
    public var limit: Int?
    /// Whether the names of all tasks are listed beside the tasks.
    public var hasNames = false

    public init() {}

    init(_ query: [String: String]) throws {
        for (key, value) in query {
            switch key {
            case "find": words = Self.words(value)
            case "app":
                for name in value.split(separator: ",") {
                    let app = AppIdentifier(String(name))
                    apps.insert(try WebSite.known(app, key, String(name), "an app's identifier"))
                }
            case "task":
                task = try WebSite.known(TaskIdentifier(value), key, value, "a task's identifier")
            case "limit": limit = try WebSite.count(key, value)
            case "names": hasNames = try WebSite.known(Bool(value), key, value, "true or false")
            default:
                throw WebRefusal(
                    400, "'\(key)' is not known here. The keys here are: app, task, find, limit and names.")
            }
        }
    }

    static func words(_ text: String) -> [String] { text.lowercased().split(separator: " ").map(String.init) }

    static func finds(_ words: [String], in task: TaskIdentifier) -> Bool {
        guard !words.isEmpty else { return true }
        let name = task.text.lowercased()
        return words.allSatisfy(name.contains)
    }

    public func finds(_ task: TaskIdentifier) -> Bool { Self.finds(words, in: task) }

    /// The tasks that are listed, of those that are found.
    public func listed(of found: [StatusReport.TaskStatus]) -> (
        tasks: [StatusReport.TaskStatus], leftOut: Int
    ) {
        var tasks = found
        if let task { tasks.removeAll { $0.task != task } }
        if !apps.isEmpty { tasks.removeAll { !apps.contains($0.app) } }
        guard let limit, tasks.count > limit else { return (tasks, 0) }
        let kept = (tasks.filter(\.isFailing) + tasks.filter { !$0.isFailing }).prefix(limit)
        return (Array(kept), tasks.count - limit)
    }
}

/// The lanes that a timeline lists; it counts all.
struct LaneSlice: Sendable {
    static let keys: Set<String> = ["task", "find", "limit", "fold"]
    /// With no more lanes than these none is folded.
    private static let few = 12

    private var words: [String] = []
    private var task: TaskIdentifier?
    /// The most lanes of each result.
    private var limit: Int?
    /// Lanes with these results are counted and not listed.
    private var folded: Set<String> = []
    /// Whether the query asks for a part.
    let isPart: Bool

    init(_ query: [String: String]) throws {
        isPart = !Self.keys.isDisjoint(with: query.keys)
        words = TaskSlice.words(query["find"] ?? "")
        if let name = query["task"] {
            task = try WebSite.known(TaskIdentifier(name), "task", name, "a task's identifier")
        }
        limit = if let text = query["limit"] { try WebSite.count("limit", text) } else { nil }
        for name in (query["fold"] ?? "").split(separator: ",").map(String.init) {
            guard Timeline.Lane.groups.contains(name) else {
                throw WebRefusal(
                    400,
                    "fold=\(name) is not the result of a task: \(Timeline.Lane.groups.joined(separator: ", "))."
                )
            }
            folded.insert(name)
        }
    }

    /// The lanes that are listed.
    func listed(of lanes: [Timeline.Lane], since from: WallTime) -> [Timeline.Lane] {
        var left: [String: Int] = [:]
        let folded = lanes.count <= Self.few ? [] : folded
        return lanes.filter { lane in
            let group = lane.group(since: from)
            let count = left[group, default: limit ?? .max]
            guard count > 0, !folded.contains(group) else { return false }
            left[group] = count - 1
            return true
        }
    }

    func finds(_ lane: Timeline.Lane) -> Bool {
        (task == nil || lane.task == task) && TaskSlice.finds(words, in: lane.task)
    }
}
