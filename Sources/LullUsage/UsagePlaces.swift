private import Foundation
private import Glibc
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
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + Self.name)),
            let document = try? JSONDecoder().decode(Document.self, from: data), document.version == 1
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
        let path = folder + "/" + Self.name
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(Document(places: places)) else { return }
        let descriptor = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .positions(path: path, code: errno) }
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .positions(path: path, code: errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0, rename(path + ".new", path) == 0 else {
            throw .positions(path: path, code: errno)
        }
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }
}
