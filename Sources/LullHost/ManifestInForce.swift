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
    private static let keptName = "manifest.json"

    /// Kept on a best-effort basis, as what is in force is for people to ask. What may be secret is not kept.
    func keep(inForce manifest: Manifest) {
        guard
            let data = try? JSONEncoder().encode(
                Kept(version: Self.keptVersion, manifest: manifest.withoutSecrets))
        else {
            return
        }
        try? contents?.write(Array(data), to: Self.keptName)
    }

    /// Without what may be secret. Nil: no host has run on this state, or one of another version.
    public var manifestInForce: Manifest? {
        guard let bytes = contents?.read(Self.keptName),
            let kept = try? JSONDecoder().decode(Kept.self, from: Data(bytes)),
            kept.version == Self.keptVersion
        else { return nil }
        return kept.manifest
    }
}
