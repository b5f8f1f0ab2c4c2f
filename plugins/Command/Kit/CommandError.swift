/// What can keep a command from running; each case's message says how to mend it.
public enum CommandError: Error, Equatable, CustomStringConvertible {
    case settings(String)
    case notFound(program: String, path: String)
    case noFolder(String)
    case spawn(program: String, reason: String)
    case noPipe(reason: String)

    public var description: String {
        switch self {
        case .settings(let finding):
            "settings of the task: \(finding)"
        case .notFound(let program, let path):
            "command \"\(program)\" was not found or can't be executed (PATH is \(path)). "
                + "Write its full path in \"run\", or set PATH in \"env\"."
        case .noFolder(let folder):
            "folder \"\(folder)\" is not there or can't be entered. Make it, or correct \"cwd\"."
        case .spawn(let program, let reason):
            "command \"\(program)\" could not be started: \(reason)"
        case .noPipe(let reason):
            "no pipe could be made for what the command prints: \(reason). "
                + "Raise \"descriptors\" in the app's \"limits\", or have fewer runs at once."
        }
    }
}
