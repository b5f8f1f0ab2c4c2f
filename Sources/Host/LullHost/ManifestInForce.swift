import Foundation
import LullManifest
public import LullModel

/// The manifest in force, kept in the state folder for its owner alone: the files may hold another by now, or none.
extension StateFolder {
    private struct Kept: Codable, KeptPart {
        var version: Int
        var manifest: Manifest
    }

    private struct KeptName: Decodable, KeptPart {
        struct Name: Decodable {
            var path: String
            var hash: String
        }
        var version: Int
        var manifest: Name
    }

    private static let keptVersion = 1
    private static let keptName = "manifest.json"

    /// Kept on a best-effort basis, with absolute paths: readers have other working folders.
    func keep(inForce manifest: Manifest) {
        guard
            let data = try? JSONEncoder().encode(
                Kept(version: Self.keptVersion, manifest: manifest.absolute))
        else {
            return
        }
        try? contents?.write(Array(data), to: Self.keptName)
    }

    /// The manifest in force without its secrets. Nil: no host has run on this state, or one of another version.
    public var manifestInForce: Manifest? { kept(Kept.self)?.manifest.withoutSecrets }

    /// With its secrets, for a host whose manifest at `path` (absolute) has errors; nil: another was in force.
    public func manifest(lastInForceFrom path: String) -> Manifest? {
        guard nameInForce?.path == path else { return nil }
        return kept(Kept.self)?.manifest
    }

    /// The path and the hash of the manifest in force: enough to detect a change, at a tenth of the cost.
    public var nameInForce: (path: String, hash: String)? {
        kept(KeptName.self).map { ($0.manifest.path, $0.manifest.hash) }
    }

    private func kept<Part: KeptPart>(_ type: Part.Type) -> Part? {
        guard let bytes = contents?.read(Self.keptName),
            let kept = try? JSONDecoder().decode(type, from: Data(bytes)),
            kept.version == Self.keptVersion
        else { return nil }
        return kept
    }
}

private protocol KeptPart: Decodable {
    var version: Int { get }
}

extension Manifest {
    fileprivate var absolute: Manifest {
        func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
        var manifest = self
        manifest.path = absolute(path)
        manifest.files = files.map(absolute)
        manifest.includePatterns = includePatterns.map(absolute)
        for app in manifest.apps.indices {
            manifest.apps[app].file = apps[app].file.map(absolute)
            for task in manifest.apps[app].tasks.indices {
                manifest.apps[app].tasks[task].file = apps[app].tasks[task].file.map(absolute)
            }
        }
        return manifest
    }
}
