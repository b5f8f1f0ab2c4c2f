import Foundation

extension BGTask {
    /// The events that this run was launched for, which attempt it is, and its parameters, as JSON; nil: none of them, or the
    /// host is older than Lull's ABI 1.2.
    ///
    /// Lull's own: the manifest's `on` launches a task when a file comes, another task ends or a device is plugged in.
    /// `{"on":["path"],"count":2,"first":1795420800000,"last":1795420801000,"paths":["/srv/in/a.csv"]}`; of a chain also
    /// `task`, `run` and `outcome`; `device`; `user`; with `retry: { attempts }` also `attempt` and `attempts`. Only the first
    /// files are named: look at the folder for all of them.
    public var launchEvents: String? { run.launch.origin }

    /// The value of each parameter that the manifest declares in `params` of the task: that of `lull launch --param NAME=VALUE`,
    /// or the default. Empty: the task has none, or the host does not know them.
    ///
    /// Lull's own. The host checks each value against the manifest's `match` or `one_of`, and people see it: it is no place for
    /// secrets.
    public var params: [String: String] { Self.params(in: run.launch.origin) }

    package static func params(in origin: String?) -> [String: String] {
        struct Origin: Decodable { let params: [String: String]? }
        guard let origin, let value = try? JSONDecoder().decode(Origin.self, from: Data(origin.utf8)) else {
            return [:]
        }
        return value.params ?? [:]
    }
}
