import Foundation
import LullManifest
public import LullModel

/// The manifest that a host has put in force, kept in its state: what stands in the files since may be another.
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
    public var manifestInForce: Manifest? { kept(Kept.self)?.manifest }

    /// Which file that is and what it hashed to: enough to see whether it is another now, at a tenth of the cost.
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
