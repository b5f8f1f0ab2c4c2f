/// Crontabs → a manifest that runs their lines with the plugin `Command`, at the same times and as the same users.
///
/// An app for each user, a task for each line. Nothing is dropped in silence: what can't be carried over is said with
/// its place and a remedy, and stands as a comment where it would be.
public struct CrontabImport {
    private let machine: ImportMachine

    public init(on machine: ImportMachine) { self.machine = machine }

    /// A crontab of which some lines have a user's column and others not, as far as can be told.
    public struct Undecided: Error, Equatable {
        public var path: String
        public var withUser: Int
        public var without: Int

        public var message: String {
            "\(path): line \(withUser) looks like one of a system crontab, with a user before the command, and line "
                + "\(without) does not. Say which it is: --system, or --user NAME."
        }
    }

    public func manifest(from files: [CrontabFile]) throws(Undecided) -> ImportedManifest {
        var notes: [ImportNote] = []
        var items: [CrontabReader.Item] = []
        for file in files {
            let reader = CrontabReader(file, hasUsers: try hasUsers(file), isZone: machine.isZone)
            notes += reader.notes
            items += reader.items
        }
        var draft = CrontabManifest(notes: notes, machine: machine)
        for item in items { draft.add(item) }
        return draft.manifest(of: files.map(\.path))
    }

    private func hasUsers(_ file: CrontabFile) throws(Undecided) -> Bool {
        switch file.format {
        case .system: return true
        case .user: return false
        case .unknown: break
        }
        var withUser: Int?
        var without: Int?
        for (index, bytes) in CrontabReader.lines(of: file.bytes).enumerated() {
            guard case .job(_, let rest) = CrontabLine(bytes) else { continue }
            let (first, second) = CrontabLine.split(rest)
            // `mail` is a user and a program; what begins with `-` belongs to a program.
            if !second.isEmpty, !second.hasPrefix("-"), machine.isUser(first) {
                withUser = withUser ?? index + 1
            } else {
                without = without ?? index + 1
            }
        }
        if let withUser, let without {
            throw Undecided(path: file.path, withUser: withUser, without: without)
        }
        return withUser != nil
    }
}
