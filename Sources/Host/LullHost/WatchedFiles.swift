import Foundation
import LullConditions
import LullModel

/// The file `watched` of the state folder: the files at all paths of `on`, as they were last reported.
///
/// It changes once the report is durable. So files that came while the host was off are found at the next start, and
/// what it can't keep is reported again, never lost.
struct WatchedFiles: Codable {
    private var version = 1
    /// By the path as the manifest has it.
    private var paths: [String: FileArrivals.Kept] = [:]

    init() {}

    init(in folder: StateFolder) {
        guard let bytes = folder.contents?.read(Self.name),
            let kept = try? JSONDecoder().decode(Self.self, from: Data(bytes)), kept.version == 1
        else { return }
        self = kept
    }

    /// Nil: the path has not been looked at yet.
    subscript(_ path: WatchedPath) -> FileArrivals.Kept? {
        get { paths[path.text] }
        set { paths[path.text] = newValue }
    }

    var count: Int { paths.values.reduce(0) { $0 + $1.count } }

    mutating func take(_ names: FileArrivals.Kept, at path: WatchedPath) {
        paths[path.text, default: [:]].merge(names) { _, new in new }
    }

    mutating func forget(allBut kept: Set<WatchedPath>) {
        let texts = Set(kept.map(\.text))
        paths = paths.filter { texts.contains($0.key) }
    }

    func save(in folder: StateFolder) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? folder.contents?.write(Array(data), to: Self.name)
    }

    private static let name = "watched"
}
