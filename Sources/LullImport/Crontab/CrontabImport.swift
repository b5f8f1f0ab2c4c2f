/// Crontabs → a manifest that runs their lines with the plugin `Command`, at the same times and as the same users.
///
/// An app for each user, a task for each line that cron would run. Nothing is dropped in silence: what can't be carried over,
/// and what cron does not run, is said with its place and a remedy, and stands as a comment where it would be.
public struct CrontabImport {
    private let reading: CrontabReading

    /// Whose a user's crontab is that does not say it; nil: of whoever will run the host.
    private let owner: String?

    /// `takesAll`: also what that cron does not run.
    public init(
        on machine: ImportMachine, cron: CronKind = .cronie, takesAll: Bool = false, owner: String? = nil
    ) {
        reading = CrontabReading(machine: machine, cron: cron, takesAll: takesAll)
        self.owner = owner
    }

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
        var draft = CrontabManifest(reading)
        for var file in files {
            var hasUsers = file.format == .system
            if let refusal = file.status.flatMap({ reading.cron.refusal(of: file.name, $0) }) {
                guard draft.takes(file, 1, refusal) else { continue }
            }
            if file.format == .unknown { hasUsers = try self.hasUsers(file) }
            if !hasUsers, [.unknown, .user(nil)].contains(file.format) { file.format = .user(owner) }
            if let (line, refusal) = reading.refusal(of: file, hasUsers: hasUsers) {
                guard draft.takes(file, line, refusal) else { continue }
            }
            draft.add(CrontabReader(file, hasUsers: hasUsers, reading), of: file)
        }
        return draft.manifest(of: files.map(\.path))
    }

    private func hasUsers(_ file: CrontabFile) throws(Undecided) -> Bool {
        var withUser: Int?
        var without: Int?
        for (index, bytes) in CrontabReader.lines(of: file.bytes).enumerated() {
            guard case .job(_, let rest) = CrontabLine(bytes) else { continue }
            let (first, second) = CrontabLine.split(rest)
            // `mail` is a user and a program; what begins with `-` belongs to a program.
            if !second.isEmpty, !second.hasPrefix("-"), reading.machine.isUser(first) {
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
