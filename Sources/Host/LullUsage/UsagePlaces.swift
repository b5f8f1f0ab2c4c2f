private import Foundation
import LullHistory
import LullModel

/// How far each source has been read, kept in the file `usage.positions` of the state folder.
///
/// It only saves work: what is read again after it was lost counts once all the same (see `UsageSessions`). So a file
/// that can't be read counts as none.
struct UsagePlaces: Equatable {
    static let name = "usage.positions"
    /// Of sources that are in the manifest no more, the places are kept for so long.
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

    /// Lets go of what has not been read for long.
    mutating func prune(at now: WallTime) {
        places = places.filter { now - $0.value.read <= Self.keep }
    }

    /// Written whole beside the old one and put in its place, so that a crash leaves one or the other.
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
