import LullModel

/// Whether the zone database knows a name; each name is looked up once.
struct ZoneNames {
    private let folder: String
    private let fileSystem: any FileSystem
    private var known: Set = ["UTC"]
    private var refused: [String: ValueProblem] = [:]

    init(folder: String, fileSystem: any FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    mutating func problem(with name: String) -> ValueProblem? {
        if known.contains(name) { return nil }
        if let problem = refused[name] { return problem }
        let problem = lookUp(name)
        if let problem { refused[name] = problem } else { known.insert(name) }
        return problem
    }

    private func lookUp(_ name: String) -> ValueProblem? {
        // A name leads neither out of the database's folder nor to its tables.
        let isPossible =
            name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                part.first?.isLetter == true && part.unicodeScalars.allSatisfy { Self.isPermitted($0) }
            }
        if isPossible, fileSystem.entry(at: Path.join(folder, name))?.kind == .file,
            !name.hasPrefix("posix/"), !name.hasPrefix("right/")
        {
            return nil
        }
        guard fileSystem.entry(at: folder)?.kind == .folder else {
            return .noZoneDatabase(folder: folder, name: name)
        }
        return .unknownZone(name, nearest: refused.count < 100 ? nearest(to: name) : nil)
    }

    /// A name of the same region, or the region's own name with this city.
    private func nearest(to name: String) -> String? {
        let parts = name.replacingSpaces.split(separator: "/", maxSplits: 1).map(String.init)
        let regions = fileSystem.names(in: folder).filter { $0.first?.isUppercase == true }
        guard let first = parts.first, let region = Spelling.nearest(to: first, among: regions) else {
            return parts.first.flatMap { parts.count == 1 ? self.region(of: $0) : nil }
        }
        guard parts.count == 2 else {
            return fileSystem.entry(at: Path.join(folder, region))?.kind == .file ? region : nil
        }
        let cities = fileSystem.names(in: Path.join(folder, region))
        return Spelling.nearest(to: parts[1], among: cities).map { region + "/" + $0 }
    }

    /// `Berlin` is in Europe.
    private func region(of city: String) -> String? {
        for region in ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic"] {
            let names = fileSystem.names(in: Path.join(folder, region))
            if let name = names.first(where: { $0.lowercased() == city.lowercased() }) {
                return region + "/" + name
            }
        }
        return nil
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+": true
        default: false
        }
    }
}

extension String {
    fileprivate var replacingSpaces: String { String(map { $0 == " " ? "_" : $0 }) }
}
