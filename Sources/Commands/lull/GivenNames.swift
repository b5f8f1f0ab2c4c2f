import ArgumentParser
import LullCommands
import LullControl
import LullHost
import LullModel

/// A task or app as a person names it: its identifier, or an end of it that no other has.
protocol GivenName: ExpressibleByArgument, SendableMetatype {
    var text: String { get }
    init(text: String)
    /// The names to which a shell may complete it.
    static func known(_ names: KnownNames) -> [String]
}

extension GivenName {
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(text: argument)
    }
    static var defaultCompletionKind: CompletionKind {
        .custom { words, _, _ in known(KnownNames(words)) }
    }
}

struct TaskName: GivenName {
    let text: String
    static let help: ArgumentHelp = "The task, in full or by its last word where that is unique."
    static func known(_ names: KnownNames) -> [String] { names.tasks }
}

struct AppName: GivenName {
    let text: String
    static func known(_ names: KnownNames) -> [String] { names.apps }
}

/// A task or an app.
struct TaskOrAppName: GivenName {
    let text: String
    static func known(_ names: KnownNames) -> [String] { names.tasks + names.apps }
}

/// Finds the task or app that a name means; every command uses it.
///
/// `com.example.Feed.refresh` is itself; `refresh` and `Feed.refresh` are the one task whose identifier ends so; if several
/// do, they are listed. A whole identifier that is not known passes through: a wildcard may permit it.
struct NameResolver {
    let tasks: [TaskIdentifier]
    let apps: [AppIdentifier]
    /// Tasks that the manifest does not list any more; used if no listed task matches.
    var past: () -> [TaskIdentifier] = { [] }

    init(tasks: [TaskIdentifier], apps: [AppIdentifier]) {
        self.tasks = tasks
        self.apps = apps
    }

    init(_ names: TakenNames) { self.init(tasks: names.tasks, apps: names.apps) }

    init(_ manifest: Manifest) {
        self.init(tasks: manifest.tasks.map(\.identifier), apps: manifest.apps.map(\.identifier))
    }

    init(_ report: StatusReport) {
        self.init(tasks: report.tasks.map(\.task), apps: report.apps.map(\.app))
    }

    enum Found: Equatable {
        case task(TaskIdentifier)
        case app(AppIdentifier)

        var name: String {
            switch self {
            case .task(let task): task.text
            case .app(let app): app.text
            }
        }

        var scope: Pause.Scope {
            switch self {
            case .task(let task): .task(task)
            case .app(let app): .app(app)
            }
        }
    }

    func task(_ name: String) throws -> TaskIdentifier {
        let found = ending(tasks.map(\.text), in: name)
        if let only = try only(found, name), let task = TaskIdentifier(only) { return task }
        if let task = try pastTask(name) { return task }
        if let app = try only(ending(apps.map(\.text), in: name), name) { throw isApp(app) }
        if let task = TaskIdentifier(name) { return task }
        throw unknown(name, "task", tasks.map(\.text))
    }

    func app(_ name: String) throws -> AppIdentifier {
        let found = ending(apps.map(\.text), in: name)
        if let only = try only(found, name), let app = AppIdentifier(only) { return app }
        if let app = AppIdentifier(name) { return app }
        throw unknown(name, "app", apps.map(\.text))
    }

    func taskOrApp(_ name: String) throws -> Found {
        let (tasks, apps) = (self.tasks.map(\.text), self.apps.map(\.text))
        let found = ending(tasks, in: name) + ending(apps, in: name)
        if let only = try only(found, name) {
            if apps.contains(only), let app = AppIdentifier(only) { return .app(app) }
            if let task = TaskIdentifier(only) { return .task(task) }
        }
        if let task = try pastTask(name) { return .task(task) }
        // A wildcard may permit a name that is no app's.
        if let task = TaskIdentifier(name), Sentences.nearest(to: name, among: apps) == nil {
            return .task(task)
        }
        throw unknown(name, "task or app", tasks + apps)
    }

    private func pastTask(_ name: String) throws -> TaskIdentifier? {
        try only(ending(past().map(\.text), in: name), name).flatMap { TaskIdentifier($0) }
    }

    /// The name itself, else all that end with it.
    private func ending(_ known: [String], in name: String) -> [String] {
        known.contains(name) ? [name] : known.filter { $0.hasSuffix("." + name) && !$0.contains("*") }
    }

    private func only(_ found: [String], _ name: String) throws -> String? {
        guard found.count > 1 else { return found.first }
        let list = found.prefix(10).map { "\n  " + $0 }.joined()
        let more = found.count > 10 ? "\n  and \(found.count - 10) more" : ""
        throw Failure("\(name) could be any of \(found.count). Write which one you mean:\(list)\(more)")
    }

    private func isApp(_ app: String) -> Failure {
        let own = tasks.map(\.text).filter { $0.hasPrefix(app + ".") }
        let list = own.prefix(10).map { "\n  " + $0 }.joined()
        let more = own.count > 10 ? "\n  and \(own.count - 10) more" : ""
        return Failure("\(app) is an app. Name one of its tasks\(own.isEmpty ? "." : ":\(list)\(more)")")
    }

    private func unknown(_ name: String, _ what: String, _ known: [String]) -> Failure {
        let ends = known.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
        let near =
            Sentences.nearest(to: name, among: known)
            ?? Sentences.nearest(to: name, among: ends).flatMap { end in
                zip(ends, known).first { $0.0 == end }?.1
            }
        let holding = known.filter { $0.contains(name) }
        let meant = holding.isEmpty ? near.map { [$0] } ?? [] : Array(holding.prefix(3))
        let advice =
            !meant.isEmpty
            ? " Did you mean \(Phrase.list(meant, "or"))?"
            : (known.isEmpty ? " There is none." : " `lull status` lists what there is.")
        return Failure("No \(what) is called \(name).\(advice)")
    }
}

extension Asking {
    /// The names that the host knows, or those of the manifest that would be run.
    func names() throws -> NameResolver { NameResolver(try ask(Ask.Names())) }

    func task(_ name: TaskName) throws -> TaskIdentifier {
        let names = try names()
        return try find { try names.task(name.text) }
    }

    func app(_ name: AppName) throws -> AppIdentifier {
        let names = try names()
        return try find { try names.app(name.text) }
    }

    func taskOrApp(_ name: TaskOrAppName) throws -> NameResolver.Found {
        let names = try names()
        return try find { try names.taskOrApp(name.text) }
    }

    /// A name that is not found may be in a manifest with errors, which is not in force: the error says that, too.
    func find<Name>(_ look: () throws -> Name) throws -> Name {
        do {
            return try look()
        } catch let failure as Failure {
            let trouble = try status(isBrief: true).inForce?.trouble
            throw Failure(
                options.remedy(([failure.sentence] + (trouble.map { [$0] } ?? [])).joined(separator: "\n")))
        }
    }
}
