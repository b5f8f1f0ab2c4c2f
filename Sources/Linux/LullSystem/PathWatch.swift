private import Glibc

/// Reports when a path may lead to another file: the file came, went, was replaced or may be read now.
///
/// Each folder on the path is watched for the name that comes next, and so are the folders on the paths of links: so a
/// folder further up may be renamed or made anew, and a link's target may go and come back. Mounts over one of them are
/// noticed as well.
public final class PathWatch {
    private let path: String
    private let hearsNeighbours: Bool
    private let events: FileEvents
    private let changed: () -> Void
    /// The names on the path, as they were last looked at.
    private var places: [Place] = []
    private var tokens: [FileEvents.Token] = []
    private var mounts: FileEvents.Token?
    /// Why the last folder on the path can't be watched.
    public private(set) var refusal: FileEvents.Refusal?

    /// A name to watch for in a folder, which is known by its inode: another folder may take its place.
    private struct Place: Hashable {
        let folder: String
        let device: UInt64
        let inode: UInt64
        let name: String

        init?(_ folder: String, _ name: String) {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            (self.folder, self.name) = (folder, name)
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// `hearsNeighbours`: also reports all other names in the last folder, and writes there.
    public init(
        _ path: String, hearsNeighbours: Bool = false, events: FileEvents, changed: @escaping () -> Void
    ) {
        self.path = path
        self.hearsNeighbours = hearsNeighbours
        self.events = events
        self.changed = changed
        mounts = events.watchMounts { [unowned self] in if look() != places { self.changed() } }
        refresh()
    }

    deinit {
        events.forget(mounts)
        dropAll()
    }

    /// Renews the watches if the path leads through other folders now; the caller looks at the path afterwards.
    public func refresh() {
        // A folder that comes while those above it are being watched would be missed: looked at until nothing changes.
        for _ in 0..<8 {
            let found = look()
            guard found != places || refusal != nil else { return }
            let before = tokens
            (places, tokens, refusal) = (found, [], nil)
            for place in found { watch(place, isLast: place == found.last) }
            for token in before { events.forget(token) }
            if let refusal, !refusal.isAbsence { return }
        }
    }

    private func watch(_ place: Place, isLast: Bool) {
        let isOpen = isLast && hearsNeighbours
        let kinds: FileEvents.Kind = [.entries, .moved, .deleted]
        do throws(FileEvents.Refusal) {
            tokens.append(
                try events.watch(
                    place.folder, for: isOpen ? kinds.union(.written) : kinds, isFolder: true
                ) { [unowned self] kinds, name in
                    heard(kinds, name, at: place, isOpen: isOpen)
                })
        } catch {
            // A folder that this user may only pass through can't be watched.
            if isLast { refusal = error }
        }
    }

    private func heard(_ kinds: FileEvents.Kind, _ name: String, at place: Place, isOpen: Bool) {
        guard isOpen || name == place.name || name.isEmpty || kinds.contains(.lost) else { return }
        // The folder itself was replaced or removed.
        if name.isEmpty, !kinds.isDisjoint(with: [.moved, .deleted, .gone]) { dropAll() }
        changed()
    }

    private func dropAll() {
        for token in tokens { events.forget(token) }
        (places, tokens) = ([], [])
    }

    private static let mostLinks = 40

    /// The names from the root on, as far as the path exists.
    private func look() -> [Place] {
        var places: [Place] = []
        var links = 0
        var folder = "/"
        var rest = Self.parts(path)
        if !path.hasPrefix("/") {
            guard let current = getcwd(nil, 0) else { return [] }
            defer { free(current) }
            rest += Self.parts(String(cString: current))
        }
        while let name = rest.popLast() {
            if name == ".." {
                folder = Self.above(folder)
                continue
            }
            guard let place = Place(folder, name) else { break }
            if !places.contains(place) { places.append(place) }
            let next = folder == "/" ? "/" + name : folder + "/" + name
            if let target = Self.target(of: next) {
                links += 1
                guard links <= Self.mostLinks else { break }
                if target.hasPrefix("/") { folder = "/" }
                rest += Self.parts(target)
            } else {
                folder = next
            }
        }
        return places
    }

    /// The parts of a path, the last first.
    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
    }

    private static func above(_ folder: String) -> String {
        guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return "/" }
        return String(folder[..<slash])
    }

    /// Where the link at `path` leads; nil when it is none.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
