private import Glibc
import LullSystem

/// Tells when what a path leads to may have become another: the file came, went, was replaced or may be read now.
///
/// Its folder is watched, or the nearest folder above that is there; of a link, also the folder of what it leads to.
final class PathWatch {
    private let path: String
    private let events: FileEvents
    private let changed: () -> Void
    private var watched: [(place: Place, token: FileEvents.Token)] = []
    /// Why a folder can't be watched.
    private(set) var refusal: FileEvents.Refusal?

    /// A name to look out for in a folder.
    private struct Place: Hashable {
        let folder: String
        let name: String
    }

    init(_ path: String, events: FileEvents, changed: @escaping () -> Void) {
        self.path = path
        self.events = events
        self.changed = changed
        refresh()
    }

    deinit {
        for (_, token) in watched { events.forget(token) }
    }

    /// Watches anew where the way to the path has become another; the caller looks at the path afterwards.
    func refresh() {
        // A folder that comes while those above it are being watched would be missed: looked at until nothing changes.
        for _ in 0..<8 {
            let places = self.places()
            guard places != watched.map(\.place) || refusal != nil else { return }
            for (_, token) in watched { events.forget(token) }
            watched = []
            refusal = nil
            for place in places {
                do throws(FileEvents.Refusal) {
                    let token = try events.watch(
                        place.folder, for: [.entries, .moved, .deleted], isFolder: true
                    ) { [unowned self] kinds, name in
                        heard(kinds, name, at: place)
                    }
                    watched.append((place, token))
                } catch {
                    refusal = error
                }
            }
            if refusal != nil { return }
        }
    }

    private func heard(_ kinds: FileEvents.Kind, _ name: String, at place: Place) {
        guard name == place.name || name.isEmpty || kinds.contains(.lost) else { return }
        // The folder itself is another now, or none.
        if name.isEmpty, !kinds.isDisjoint(with: [.moved, .deleted, .gone]) { dropAll() }
        changed()
    }

    private func dropAll() {
        for (_, token) in watched { events.forget(token) }
        watched = []
    }

    private func places() -> [Place] {
        var places: [Place] = []
        var path = self.path
        for _ in 0..<8 {
            let place = Self.place(of: path)
            if !places.contains(place) { places.append(place) }
            guard place.folder + (place.folder == "/" ? "" : "/") + place.name == path,
                let target = Self.target(of: path, in: place.folder)
            else { break }
            path = target
        }
        return places
    }

    /// The nearest folder above `path` that is there, and what would have to come in it.
    private static func place(of path: String) -> Place {
        var path = path[...]
        while let slash = path.lastIndex(of: "/") {
            let folder = slash == path.startIndex ? "/" : String(path[..<slash])
            let name = String(path[path.index(after: slash)...])
            var status = stat()
            if folder == "/" || (stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
                return Place(folder: folder, name: name)
            }
            path = path[..<slash]
        }
        return Place(folder: ".", name: String(path))
    }

    /// Where the link at `path` leads; nil when it is none.
    private static func target(of path: String, in folder: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.hasPrefix("/") ? target : folder + "/" + target
    }
}
