/// A manifest made of crontabs or timers: its text, and the notes about it.
///
/// The same input gives the same text, so that two imports can be compared.
public struct ImportedManifest: Sendable {
    public let text: String
    /// In the order of the input.
    public let notes: [ImportNote]
    /// How many tasks it permits.
    public let taskCount: Int
    /// How many lines or timers are not in it.
    public let leftOut: Int
    /// How many files, lines or timers are not in it because nothing ran them.
    public let passedOver: Int
}

extension ImportedManifest {
    /// For the head of the file: that the names may be changed, and what follows from that.
    static let ofNames = [
        "You may rename the tasks. To Lull a renamed task is a new one: its history starts again,",
        "and what it did before stays under the old name.",
    ]
}

/// A task of the manifest to be, with the comments above it.
struct ImportedTask {
    /// Without the `#`; the source's own, and then those of the import.
    var comments: [String] = []
    /// Where it comes from, as `crontab:12`.
    var origin: String
    var name: String
    /// In the order in which they are written.
    var keys: [(key: String, value: YAMLText)] = []
}

/// The result for one line or timer: a task, or the comments that say why there is none.
enum ImportedEntry {
    case task(ImportedTask)
    case comments([String])
}

/// An app of the manifest to be: all that runs as one user.
struct ImportedApp {
    var identifier: String
    var comments: [String] = []
    var keys: [(key: String, value: YAMLText)] = []
    var entries: [ImportedEntry] = []

    var taskCount: Int {
        entries.count { if case .task = $0 { true } else { false } }
    }

    func lines() -> [String] {
        var lines = comments.map { "  " + YAMLText.comment($0) }
        lines.append("  " + YAMLText.key(identifier) + ":")
        lines += keys.flatMap { YAMLText.lines($0.key, $0.value, indent: 4, isOpen: $0.key == "settings") }
        if taskCount > 0 { lines.append("    tasks:") }
        for (index, entry) in entries.enumerated() {
            if index > 0 { lines.append("") }
            lines += Self.lines(entry)
        }
        return lines
    }

    private static func lines(_ entry: ImportedEntry) -> [String] {
        let margin = String(repeating: " ", count: 6)
        switch entry {
        case .comments(let comments): return comments.map { margin + YAMLText.comment($0) }
        case .task(let task):
            return task.comments.map { margin + YAMLText.comment($0) }
                + [margin + YAMLText.key(task.name) + ": " + YAMLText.comment(task.origin)]
                + task.keys.flatMap { YAMLText.lines($0.key, $0.value, indent: 8) }
        }
    }
}

extension ImportedManifest {
    /// `head` opens the file, as comments; the defaults of all apps follow.
    init(
        head: [String], defaults: [(key: String, value: YAMLText)], apps: [ImportedApp], notes: [ImportNote],
        tail: [String] = []
    ) {
        var lines = head.map(YAMLText.comment) + ["version: 1", ""]
        lines.append("defaults:")
        lines += defaults.flatMap { YAMLText.lines($0.key, $0.value, indent: 2) }
        lines.append("")
        let full = apps.filter { $0.taskCount > 0 }
        lines.append(full.isEmpty ? "apps: {}" : "apps:")
        for (index, app) in full.enumerated() {
            if index > 0 { lines.append("") }
            lines += app.lines()
        }
        // The comments of apps without a task stand at the end.
        let lost = apps.filter { $0.taskCount == 0 }.flatMap(\.entries).flatMap { entry -> [String] in
            if case .comments(let comments) = entry { comments } else { [] }
        }
        if !(lost + tail).isEmpty { lines += [""] + (lost + tail).map(YAMLText.comment) }
        text = lines.joined(separator: "\n") + "\n"
        self.notes = notes
        taskCount = full.reduce(0) { $0 + $1.taskCount }
        leftOut = notes.count { $0.severity == .error }
        passedOver = notes.count { $0.severity == .note }
    }
}
