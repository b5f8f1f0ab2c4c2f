import Foundation

/// The folder in which a host keeps what it must not forget, and where it is found when nobody names it.
public struct StateFolder: Sendable {
    public let path: String

    /// `--state`, else `$LULL_STATE`, else `/var/lib/lull` for root and the XDG state folder for everybody else.
    public init(option: String?, environment: [String: String], isRoot: Bool) {
        let chosen: String
        if let option, !option.isEmpty {
            chosen = option
        } else if let variable = environment["LULL_STATE"], !variable.isEmpty {
            chosen = variable
        } else if isRoot {
            chosen = "/var/lib/lull"
        } else if let xdg = environment["XDG_STATE_HOME"], xdg.hasPrefix("/") {
            chosen = xdg + "/lull"
        } else {
            chosen = (environment["HOME"] ?? "/") + "/.local/state/lull"
        }
        path = URL(fileURLWithPath: chosen).standardizedFileURL.path
    }

    /// Makes the folder, for its owner alone, where it is not there yet.
    public func create() throws(HostError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .stateFolder(path: path, detail: (error as NSError).localizedDescription)
        }
    }

    /// The manifest that the last host of this state ran, so that `lull why` works from any folder.
    public var lastManifest: String? {
        guard let text = try? String(contentsOfFile: path + "/manifest", encoding: .utf8) else { return nil }
        let line = text.prefix { $0 != "\n" }
        return line.isEmpty ? nil : String(line)
    }

    /// Kept on a best-effort basis: it only saves typing.
    func remember(manifest: String) {
        try? Data((manifest + "\n").utf8).write(
            to: URL(fileURLWithPath: path + "/manifest"), options: .atomic)
    }

    /// Makes the folder of an app's own; nil when it is there, else why not.
    func createAppFolder(_ folder: String) -> String? {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return nil
        } catch {
            return "its folder \(folder) can't be made: \((error as NSError).localizedDescription)"
        }
    }

    func appFolder(_ identifier: String) -> String { path + "/apps/" + identifier }
}
