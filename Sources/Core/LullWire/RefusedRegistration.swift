/// The line of a log that says that an app would register what it may not: made by the worker, and understood by who
/// checks a plugin.
public enum RefusedRegistration {
    private static let start = "It would register '"
    private static let end =
        "', which jobs.yaml does not permit to it. Add the task, or take the handler out."

    public static func line(_ identifier: String) -> String { start + identifier + end }

    /// Of a task for pushes, by a plugin that knows of none.
    public static func tooOld(_ identifier: String, minor: Int) -> String {
        "It would register '\(identifier)', and was built with version 1.\(minor) of the plugin interface. "
            + "Pushes need 1.2: build it anew."
    }

    /// Of the task for transfers, by a plugin that knows of none.
    public static func tooOldForTransfers(_ identifier: String, minor: Int) -> String {
        "It would register '\(identifier)', and was built with version 1.\(minor) of the plugin interface. "
            + "Transfers need 1.3: build it anew."
    }

    /// Nil: the line says something else.
    public static func identifier(in line: String) -> String? {
        guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }
}
