private import Foundation
import LullHistory
import LullModel

/// How far each source has been read, kept in the file `usage.positions` of the state folder.
///
/// It only saves work: content that is read twice counts once (see `UsageSessions`). So a file that can't be read is
/// ignored.
struct UsagePlaces: Equatable {
    static let name = "usage.positions"
    /// How long the place of a source that is no longer in the manifest is kept.
    private static let keep = UsageSessions.memory

    private var places: [String: UsagePlace] = [:]

    private struct Document: Codable {
        var version = 1
        var places: [String: UsagePlace]
    }

    init() {}

    init(folder: String) {
        guard let bytes = (try? OwnFolder(folder))?.read(Self.name),
            let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1
        else { return }
        places = document.places
    }

    subscript(key: String) -> UsagePlace? {
        get { places[key] }
        set { places[key] = newValue }
    }

    /// Drops the places of sources that have not been read for `keep`.
    mutating func prune(at now: WallTime) {
        places = places.filter { now - $0.value.read <= Self.keep }
    }

    /// Writes a new file and renames it over the old one, so that a crash leaves one of them whole.
    func save(in folder: String) throws(UsageFault) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(Document(places: places)) else { return }
        do {
            try OwnFolder(folder).write(Array(data), to: Self.name)
        } catch {
            throw .positions(path: folder + "/" + Self.name, code: error.code)
        }
    }
}
