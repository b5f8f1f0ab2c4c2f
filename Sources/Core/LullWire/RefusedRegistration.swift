/// The log line about a registration that the manifest does not permit: the worker writes it, and the plugin check parses it.
public enum RefusedRegistration {
    private static let start = "It tries to register '"
    private static let end =
        "', which jobs.yaml does not permit. Add the task, or take the handler out."

    public static func line(_ identifier: String) -> String { start + identifier + end }

    /// The line about a task for pushes, from a plugin whose ABI version has none.
    public static func tooOld(_ identifier: String, minor: Int) -> String {
        "It tries to register '\(identifier)', but was built with version 1.\(minor) of the plugin interface. "
            + "Pushes need 1.2: rebuild it."
    }

    /// The line about the task for transfers, from a plugin whose ABI version has none.
    public static func tooOldForTransfers(_ identifier: String, minor: Int) -> String {
        "It tries to register '\(identifier)', but was built with version 1.\(minor) of the plugin interface. "
            + "Transfers need 1.3: rebuild it."
    }

    /// The refused identifier; nil: it is another line.
    public static func identifier(in line: String) -> String? {
        guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }
}
