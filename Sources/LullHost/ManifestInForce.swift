import Foundation
import LullManifest
public import LullModel

/// The manifest that a host has put in force, kept in its state: what stands in the files since may be another.
extension StateFolder {
    private struct Kept: Codable {
        var version: Int
        var manifest: Manifest
    }

    private static let keptVersion = 1
    private var keptPath: String { path + "/manifest.json" }

    /// Kept on a best-effort basis, as what is in force is for people to ask. What may be secret is not kept.
    func keep(inForce manifest: Manifest) {
        guard
            let data = try? JSONEncoder().encode(
                Kept(version: Self.keptVersion, manifest: manifest.withoutSecrets))
        else {
            return
        }
        let new = keptPath + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard (try? handle.write(contentsOf: data)) != nil, (try? handle.synchronize()) != nil else { return }
        rename(new, keptPath)
    }

    /// Without what may be secret. Nil: no host has run on this state, or one of another version.
    public var manifestInForce: Manifest? {
        guard let data = FileManager.default.contents(atPath: keptPath),
            let kept = try? JSONDecoder().decode(Kept.self, from: data), kept.version == Self.keptVersion
        else { return nil }
        return kept.manifest
    }
}
