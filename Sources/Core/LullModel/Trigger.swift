/// A trigger that starts a task besides the clock and its app: one entry of `on`.
public enum Trigger: Sendable, Hashable, Codable {
    /// A file comes or changes.
    case path(WatchedPath)
    /// A run of another task ends with this outcome.
    case after(TaskIdentifier, ChainOutcome)
    /// Runs of all these tasks have ended with their outcomes since the task itself was last launched.
    case afterAll([ChainLink])
    /// A device is plugged in.
    case device(DevicePattern)
    /// A user logs in; nil: anybody.
    case login(user: String?)
    /// The machine wakes from sleep, gets a network, gets external power, or was booted.
    case resume, network, externalPower, boot

    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case path, after, device, login, resume, network
        case externalPower = "external_power"
        case boot
    }

    /// Of a chain: the preceding tasks.
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

/// Watched files: one file, all files of a folder, or the files of a folder whose names match a pattern.
public struct WatchedPath: Sendable, Hashable, Codable {
    /// Absolute, without a slash at its end: the file or folder, or the folder of the pattern.
    public var path: String
    /// A pattern with a shell's `*`, `?` and `[…]`; nil: none.
    public var names: String?
    /// Whether it was written with a slash at its end, so that only a folder matches.
    public var isFolder: Bool
    /// A file counts once it has not changed for this long.
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

    /// The text in the manifest.
    public var text: String {
        let folder = path == "/" ? "" : path
        return names.map { folder + "/" + $0 } ?? (isFolder ? folder + "/" : path)
    }
}

/// Devices by the kernel's names. A nil part matches anything; at least one part is not nil.
public struct DevicePattern: Sendable, Hashable, Codable {
    /// `block`, `usb`, `tty`, …
    public var subsystem: String?
    /// A name in /dev, or the kernel's name of the device, with `*` and `?`: `sd?1`.
    public var name: String?

    public init(subsystem: String? = nil, name: String? = nil) {
        self.subsystem = subsystem
        self.name = name
    }
}

/// How the preceding run of a chain has to end for the next task.
public enum ChainOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    case success, failure, any

    /// A run that ended neither well nor through its own fault is requested again: the chain goes on after that.
    public func fits(_ outcome: Outcome, endedBy gates: [String]?) -> Bool {
        let isFailure = outcome.isFailure(endedBy: gates)
        return switch self {
        case .success: outcome.isSuccess
        case .failure: isFailure
        case .any: outcome.isSuccess || isFailure
        }
    }
}

/// The host's watch on a trigger, as far as it can watch.
public struct TriggerWatch: Sendable, Hashable, Codable {
    public var since: WallTime
    /// Why its events may be missed, or what the watch waits for first; nil: nothing is in its way.
    public var trouble: String?

    public init(since: WallTime, trouble: String? = nil) {
        self.since = since
        self.trouble = trouble
    }
}

extension Trigger {
    /// The text for the manifest, on one line.
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
