import Glibc
import LullModel

/// What can go wrong between a client and a host.
public enum ControlError: Error, Sendable, Equatable {
    case notRunning(path: String)
    case notAllowed(path: String)
    case pathTooLong(path: String)
    case system(operation: String, code: Int32)
    case frameTooLong(Int)
    case importTooLong(Int)
    /// A long request that is no import.
    case requestTooLong(Int, limit: Int)
    case hostGone
    case noAnswer(path: String, Duration)
    case notUnderstood(String)
    /// A frame that is no question of this version.
    case notAsked(String)
    /// The client's version of the protocol, for the host to say.
    case clientSpeaks(Int)
    /// The host's version of the protocol, for the client to say.
    case hostSpeaks(Int)
    case unknownQuestion(String)
    /// The host's own sentence.
    case refused(String)
    /// The host's own sentence on something that it takes after `wait`.
    case busy(String, wait: Duration)

    public var message: String {
        switch self {
        case .notRunning(let path): "No host is running on this state: nothing listens on \(path)."
        case .notAllowed(let path):
            "This user may not connect to the host at \(path). Run the command as the host's user or as root, or let a group read "
                + "with `lull run --readers GROUP`."
        case .pathTooLong(let path):
            "The control socket's path \(path) is over 107 bytes, more than Linux allows. Use a shorter --state folder."
        case .system(let operation, let code): "Can't \(operation): \(String(cString: strerror(code)))."
        case .frameTooLong(let length):
            "A frame of \(length) bytes came over the control socket; the limit is \(ControlFrame.limit)."
        case .importTooLong(let length):
            "The import has \(length) bytes, but a running host takes at most \(ControlFrame.limit). Import it into a "
                + "state folder in which no host has run: `lull history import --state DIR FILE`."
        case .requestTooLong(let length, let limit):
            "A request of \(length) bytes came over the control socket; only an import may have more than \(limit)."
        case .noAnswer(let path, let timeout):
            "The host at \(path) has not answered for \(timeout.components.seconds) s. Is it stopped, or is its machine "
                + "overloaded? `fuser \(path)` names its process. It may still carry out the request; `lull history --events` shows it."
        case .hostGone:
            "The host went away before it answered. `lull history --events` shows what it did last."
        case .notAsked(let what): "This is not a request of the control protocol: \(what)"
        case .clientSpeaks(let version):
            "This host is lull \(LullVersion.text) and speaks version \(ControlFrame.version) of the control protocol; the command "
                + "speaks version \(version). " + Self.remedy(hostIsOlder: version > ControlFrame.version)
        case .hostSpeaks(let version):
            "The host speaks version \(version) of the control protocol; this command is lull \(LullVersion.text) and speaks "
                + "version \(ControlFrame.version). "
                + Self.remedy(hostIsOlder: version < ControlFrame.version)
        case .unknownQuestion(let name):
            "This host is lull \(LullVersion.text) and does not know the question '\(name)'. "
                + Self.remedy(hostIsOlder: true)
        case .refused(let sentence), .busy(let sentence, _): sentence
        case .notUnderstood(let what):
            "The other side sent something that this one does not understand: \(what)."
        }
    }

    private static func remedy(hostIsOlder: Bool) -> String {
        (hostIsOlder ? "Restart the host to make it as new as the command, or use" : "Use")
            + " the `lull` that the host was started from."
    }
}
