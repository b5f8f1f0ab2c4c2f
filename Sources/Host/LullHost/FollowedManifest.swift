import Glibc
import LullHistory
import LullManifest
import LullModel

/// The file in which a host keeps its fleet's manifest: the text, then a last line that names the manifest. So line
/// numbers stay those of the original, and a host without the database knows which manifest it has.
struct FollowedManifest {
    enum Found: Sendable, Equatable {
        case nothing
        case manifest(FleetManifestName)
        /// The file was changed after a host wrote it.
        case edited
        /// No host wrote the file, so none overwrites it.
        case foreign
    }

    let path: String
    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
    private var name: String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// Call it, as all of this, on a thread that may hang.
    func look() -> Found {
        guard let folder = try? OwnFolder(folder.isEmpty ? "/" : folder), folder.status(of: name) != nil
        else {
            return .nothing
        }
        guard let bytes = folder.read(name, atMost: 2 * Limits.manifestBytes), let mark = Self.mark(in: bytes)
        else { return .foreign }
        let isUntouched = mark.isLast && ManifestReader.hash(bytes[..<mark.start]) == mark.name.hash
        return isUntouched ? .manifest(mark.name) : .edited
    }

    /// Writes the manifest durably. Nil: it is written; else why not.
    func write(_ text: String, _ manifest: FleetManifestName) -> String? {
        if look() == .foreign { return Self.foreign(path) }
        do {
            try OwnFolder(folder.isEmpty ? "/" : folder).write(
                Array((text + Self.mark(of: manifest)).utf8), to: name)
            return nil
        } catch {
            return Self.unwritable(path, error.words)
        }
    }

    func remove() -> String? {
        switch look() {
        case .nothing: return nil
        case .foreign: return Self.foreign(path)
        case .manifest, .edited:
            return unlink(path) == 0 || errno == ENOENT
                ? nil : Self.unwritable(path, String(cString: strerror(errno)))
        }
    }

    private static func foreign(_ path: String) -> String {
        "Lull did not write \(path), and does not overwrite it. Move it away, or name another file with `follow`."
    }
    private static func unwritable(_ path: String, _ words: String) -> String {
        "\(path) can't be written: \(words). Let the host's user write its folder, or name another file with `follow`."
    }

    // MARK: The last line

    private static let (before, between) = ("# Manifest ", " of the fleet (")

    private static func mark(of manifest: FleetManifestName) -> String {
        "\(before)\(manifest.number)\(between)\(manifest.hash)): `lull fleet apply` replaces this file.\n"
    }

    /// Nil: there is no such line. `isLast`: nothing follows it.
    private static func mark(in bytes: [UInt8]) -> (start: Int, isLast: Bool, name: FleetManifestName)? {
        var end = bytes.count
        while end > 0 {
            let start = bytes[..<(end - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            if let name = name(in: line) {
                return (start, end == bytes.count && line.hasSuffix(mark(of: name)), name)
            }
            end = start
        }
        return nil
    }

    private static func name(in line: String) -> FleetManifestName? {
        guard line.hasPrefix(before) else { return nil }
        let digits = line.dropFirst(before.count).prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(before.count + digits.count)
        guard let number = Int64(digits), rest.hasPrefix(between) else { return nil }
        return FleetManifestName(number, hash: String(rest.dropFirst(between.count).prefix { $0 != ")" }))
    }
}
