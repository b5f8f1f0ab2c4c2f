public import LullModel
import LullWorkers

/// Refusals of commands before the scheduler is asked, and hints on why a run failed.
public enum Sentences {
    /// "4 apps, 6 tasks".
    public static func size(of manifest: Manifest) -> String {
        Phrase.count(manifest.apps.count, "app") + ", " + Phrase.count(manifest.tasks.count, "task")
    }

    /// The limits of an app that may cause "Permission denied"; nil: none can.
    ///
    /// `account`: the app's own, where it has one.
    static func limits(of app: App, in manifest: Manifest, account: UInt32?) -> String? {
        guard !app.limits.keepsPrivileges else { return nil }
        var words: [String] = []
        if case .under(let paths) = app.limits.read {
            words.append(
                "read only \(paths.isEmpty ? "nothing" : Phrase.list(paths)) and what every program needs")
        }
        if case .under(let paths) = app.limits.write {
            words.append("write only \(Phrase.list(["its state folder", "/tmp", "/var/tmp"] + paths))")
            words.append("use no terminal and no /dev/shm")
        }
        if !app.limits.network { words.append("not use the network") }
        words.append("signal and trace only what it has started")
        let who = account.map { "\(app.identifier) runs as its own account, \($0), not as root; it" }
        let keys = account == nil ? "`limits` in" : "`user` and `limits` in"
        let remedies = (account == nil ? "" : "`user: NAME`, ") + "`write: [FOLDER]`, `privileges: keep`"
        return
            "lull: the limits that lull sets may be the reason: \(who ?? app.identifier.text) may \(words.joined(separator: "; it may ")). "
            + "\(keys) \(app.file ?? manifest.path), line \(app.line), permit\(account == nil ? "s" : "") more: \(remedies)."
    }

    /// The same in few words, for the places that show the failure.
    static func hint(of app: App, in manifest: Manifest, _ run: RunID) -> String {
        "Lull's limits of \(app.identifier) may be why it was denied something (\(app.file ?? manifest.path), line \(app.line)): "
            + "`lull history \(run)` says which"
    }

    /// A failed run's own summary, and the hint on its cause.
    static func failure(_ summary: String?, _ hint: String?) -> String? {
        guard let hint else { return summary }
        return (summary?.withoutFullStop ?? "it failed") + "; " + hint
    }

    /// The likely causes of "Resource temporarily unavailable".
    static func shortage(of app: App) -> String {
        let own =
            "\(app.identifier) may have \(app.limits.processes) processes and threads (`limits: { processes }`)"
        return "lull: it may have made no process because \(own), or: \(ProcessShortage.sentence)"
    }

    public static func unknownApp(_ app: AppIdentifier, _ manifest: Manifest) -> String {
        let known = manifest.apps.map(\.identifier.text)
        return "No app \(app) in \(manifest.path)." + suggestion(app.text, known, all: "Its apps are")
    }

    public static func unknownTask(_ task: TaskIdentifier, _ manifest: Manifest) -> String {
        let known = manifest.tasks.map(\.identifier.text)
        return "No task \(task) in \(manifest.path)." + suggestion(task.text, known, all: "Its tasks are")
    }

    public static func unknownTransfer(_ transfer: TransferID) -> String {
        "There is no transfer \(transfer) any more. `lull history --events` says how it ended."
    }

    /// The nearest of the known names, or all of them when they are few.
    static func suggestion(_ name: String, _ known: [String], all: String) -> String {
        if let near = nearest(to: name, among: known) { return " Did you mean \(near)?" }
        guard !known.isEmpty else { return " It lists none." }
        return known.count <= 8 ? " \(all) \(known.joined(separator: ", "))." : " `lull status` lists them."
    }

    /// A name that takes few edits, or has an app's name before it that the other has not.
    public static func nearest(to name: String, among known: [String]) -> String? {
        let letters = Array(name.utf8)
        let near = known.map { (name: $0, distance: Spelling.distance(letters, Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        if let near, near.distance <= max(2, name.count / 5) { return near.name }
        return known.first { name.hasSuffix("." + $0) || $0.hasSuffix("." + name) }
    }
}
