/// What starts a task beside the clock and its app: one entry of `on`.
public enum Trigger: Sendable, Hashable, Codable {
    /// A file comes or changes.
    case path(WatchedPath)
    /// A run of another task ends so.
    case after(TaskIdentifier, ChainOutcome)
    /// Runs of all of these have ended so since the task itself was last launched.
    case afterAll([ChainLink])
    /// A device is plugged in.
    case device(DevicePattern)
    /// A user logs in; nil: anybody.
    case login(user: String?)
    /// The machine wakes from sleep, has a network again, is plugged in, was booted.
    case resume, network, externalPower, boot

    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case path, after, device, login, resume, network
        case externalPower = "external_power"
        case boot
    }

    /// Of a chain: the tasks before.
    public var links: [ChainLink] {
        switch self {
        case .after(let task, let outcome): [ChainLink(task: task, outcome: outcome)]
        case .afterAll(let links): links
        default: []
        }
    }

    public var kind: Kind {
        switch self {
        case .path: .path
        case .after, .afterAll: .after
        case .device: .device
        case .login: .login
        case .resume: .resume
        case .network: .network
        case .externalPower: .externalPower
        case .boot: .boot
        }
    }
}

/// Files that are waited for: one file, all of a folder, or those of a folder whose names fit a pattern.
public struct WatchedPath: Sendable, Hashable, Codable {
    /// Absolute, without a slash at its end: the file or folder, or of a pattern its folder.
    public var path: String
    /// As a shell's `*`, `?` and `[…]`; nil: no pattern.
    public var names: String?
    /// Written with a slash at its end: nothing but a folder.
    public var isFolder: Bool
    /// A file counts once nothing has happened to it for so long.
    public var settle: Duration

    public static let usualSettle: Duration = .seconds(1)

    public init(
        path: String, names: String? = nil, isFolder: Bool = false, settle: Duration = Self.usualSettle
    ) {
        self.path = path
        self.names = names
        self.isFolder = isFolder
        self.settle = settle
    }

    /// As the manifest has it.
    public var text: String {
        let folder = path == "/" ? "" : path
        return names.map { folder + "/" + $0 } ?? (isFolder ? folder + "/" : path)
    }
}

/// Devices by what the kernel calls them; what is nil may be anything, and one of the two is not.
public struct DevicePattern: Sendable, Hashable, Codable {
    /// `block`, `usb`, `tty`, …
    public var subsystem: String?
    /// A name as in /dev, or of the device itself, with `*` and `?`: `sd?1`.
    public var name: String?

    public init(subsystem: String? = nil, name: String? = nil) {
        self.subsystem = subsystem
        self.name = name
    }
}

/// How the run before has to end for the next of a chain.
public enum ChainOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    case success, failure, any

    /// What ended neither well nor through its own fault is asked for again: the chain goes on after that.
    public func fits(_ outcome: Outcome, endedBy gates: [String]?) -> Bool {
        let isFailure = outcome.isFailure(endedBy: gates)
        return switch self {
        case .success: outcome.isSuccess
        case .failure: isFailure
        case .any: outcome.isSuccess || isFailure
        }
    }
}

/// That the host waits for a trigger, as far as it can.
public struct TriggerWatch: Sendable, Hashable, Codable {
    public var since: WallTime
    /// Why nothing of it may come, or what is waited for first; nil: nothing is in its way.
    public var trouble: String?

    public init(since: WallTime, trouble: String? = nil) {
        self.since = since
        self.trouble = trouble
    }
}

extension Trigger {
    /// As the manifest has it, on one line.
    public var text: String {
        switch self {
        case .path(let path):
            path.settle == WatchedPath.usualSettle
                ? "{ path: \(path.text) }" : "{ path: \(path.text), settle: \(Self.span(path.settle)) }"
        case .after(let task, .success): "{ after: \(task) }"
        case .after(let task, let outcome): "{ after: { task: \(task), outcome: \(outcome.rawValue) } }"
        case .afterAll(let links):
            "{ after: ["
                + links.map {
                    $0.outcome == .success
                        ? $0.task.text : "{ task: \($0.task), outcome: \($0.outcome.rawValue) }"
                }.joined(separator: ", ") + "] }"
        case .device(let pattern):
            "{ device: { "
                + [pattern.subsystem.map { "subsystem: \($0)" }, pattern.name.map { "name: \($0)" }]
                .compactMap { $0 }.joined(separator: ", ") + " } }"
        case .login(let user?): "{ login: \(user) }"
        case .login(nil), .resume, .network, .externalPower, .boot: kind.rawValue
        }
    }

    private static func span(_ duration: Duration) -> String {
        let seconds = duration.milliseconds / 1000
        return seconds > 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
