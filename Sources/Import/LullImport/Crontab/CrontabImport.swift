/// Crontabs → a manifest that runs their lines with the plugin `Command`, at the same times and as the same users.
///
/// An app for each user, a task for each line that cron would run. Nothing is dropped in silence: a line that can't be
/// carried over, or that cron does not run, gets a note with its place and a remedy, and a comment where it would be.
public struct CrontabImport {
    private let reading: CrontabReading

    /// The owner of a user's crontab that does not name one; nil: the user who will run the host.
    private let owner: String?

    /// `takesAll`: also imports what that cron does not run.
    public init(
        on machine: ImportMachine, cron: CronKind = .cronie, takesAll: Bool = false, owner: String? = nil
    ) {
        reading = CrontabReading(machine: machine, cron: cron, takesAll: takesAll)
        self.owner = owner
    }

    /// A crontab of which some lines seem to have a user's column and others not.
    public struct Undecided: Error, Equatable {
        /// Lines of one kind: the number of the first, the first word of its command, and how many they are.
        public struct Lines: Error, Equatable, Sendable {
            public var first: Int
            public var word: String
            public var count: Int
        }

        public var path: String
        public var withUser: Lines
        public var without: Lines

        public var message: String {
            let one = withUser.count == 1 ? "1 line names" : "\(withUser.count) lines name"
            let other = without.count == 1 ? "1 does not" : "\(without.count) do not"
            return """
                \(path): \(one) a user before the command (line \(withUser.first): '\(withUser.word)'), as in a system \
                crontab, and \(other) (line \(without.first): '\(without.word)').
                If it is a user's crontab, take the user out of line \(withUser.first), which cron would look for as a \
                program, and say --user NAME. If it is a system crontab, write the user into line \(without.first), and \
                say --system.
                """
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
        var withUser: Undecided.Lines?
        var without: Undecided.Lines?
        func count(_ lines: inout Undecided.Lines?, _ line: Int, _ word: String) {
            let first = lines ?? Undecided.Lines(first: line, word: String(word.prefix(40)), count: 0)
            lines = Undecided.Lines(first: first.first, word: first.word, count: first.count + 1)
        }
        for (index, bytes) in CrontabReader.lines(of: file.bytes).enumerated() {
            guard case .job(_, let rest) = CrontabLine(bytes, by: reading.cron) else { continue }
            let (first, second) = CrontabLine.split(rest)
            // `mail` is a user and a program; an option behind it means the program.
            if !second.isEmpty, !second.hasPrefix("-"), reading.machine.isUser(first) {
                count(&withUser, index + 1, first)
            } else if !reading.machine.mayBeUser(first, before: second) {
                count(&without, index + 1, first)
            }
        }
        if let withUser, let without {
            throw Undecided(path: file.path, withUser: withUser, without: without)
        }
        return withUser != nil
    }
}
