/// The log line about a registration that the manifest does not permit: the worker writes it, and the plugin check parses it.
public enum RefusedRegistration {
    private static let start = "It tries to register '"
    private static let end =
        "', which jobs.yaml does not permit. Add the task, or take the handler out."

    private static let dotless = "', but an identifier has a dot. Write '"

    /// `app`: nil where it is not known.
    public static func line(_ identifier: String, of app: String? = nil) -> String {
        guard let app, !identifier.contains(".") else { return start + identifier + end }
        return start + identifier + dotless
            + "\(app).\(identifier)' in the code; jobs.yaml calls it \(identifier)."
    }

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
        guard line.hasPrefix(start) else { return nil }
        let rest = line.dropFirst(start.count)
        if line.hasSuffix(end) { return String(rest.dropLast(end.count)) }
        return rest.firstRange(of: dotless).map { String(rest[..<$0.lowerBound]) }
    }
}
