/// The jobs of one crontab, and the lines that are none.
struct CrontabReader {
    enum Item {
        case job(CrontabJob)
        /// Comments that belong to no job: those of a line that could not be carried over, and the last ones.
        case comments([String], user: String?)
    }

    private(set) var items: [Item] = []
    private(set) var notes: [ImportNote] = []
    private let file: CrontabFile
    private let hasUsers: Bool
    private let isZone: (String) -> Bool
    private var variables = CrontabVariables()
    private var pending: [String] = []
    private var owner: String?

    init(_ file: CrontabFile, hasUsers: Bool, isZone: @escaping (String) -> Bool) {
        self.file = file
        self.hasUsers = hasUsers
        self.isZone = isZone
        if case .user(let name) = file.format { owner = name }
        var number = 0
        for bytes in Self.lines(of: file.bytes) {
            number += 1
            read(CrontabLine(bytes), bytes, number)
        }
        setAside()
    }

    /// Comments that no job follows directly stand for themselves.
    private mutating func setAside() {
        if !pending.isEmpty { items.append(.comments(pending, user: owner)) }
        pending = []
    }

    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private mutating func read(_ line: CrontabLine, _ bytes: ArraySlice<UInt8>, _ number: Int) {
        switch line {
        case .blank: setAside()
        case .comment(let text): pending.append(text)
        case .variable(let name, let value):
            setAside()
            set(name, to: value, number)
        case .job(let schedule, let rest): job(schedule, rest, bytes, number)
        case .broken(let fault): leaveOut(fault.message, fix: fault.fix, bytes, number)
        }
    }

    private mutating func set(_ name: String, to value: String, _ number: Int) {
        if CrontabVariables.fixed.contains(name) {
            warn(
                "\(name) can't be set in a crontab, and cron ignores it too", fix: "take the line out", number
            )
            return
        }
        if name == "CRON_TZ", !isZone(value) {
            warn(
                "no time zone is named '\(value.prefix(60))', and the host's is taken",
                fix: "write one such as Europe/Berlin, or `timezone` in the manifest", number)
            variables.remove(name)
            return
        }
        var longer = variables
        longer.set(name, to: value)
        guard longer.size <= CrontabVariables.limit else {
            warn(
                "the variables are longer than \(CrontabVariables.limit) bytes, and \(name) is left out",
                fix: "set it in a script", number)
            return
        }
        variables = longer
        if name == "MAILTO" {
            for address in variables.mail ?? [] where !ImportMachine.isAddress(address) {
                warn(
                    "nobody is mailed at '\(address.prefix(60))', which is no address",
                    fix: "write the address alone, such as ops@example.org, or a user's name", number)
            }
        }
    }

    private mutating func job(_ schedule: String, _ rest: String, _ bytes: ArraySlice<UInt8>, _ number: Int) {
        var user = owner
        var field = rest
        if hasUsers {
            let (name, command) = CrontabLine.split(rest)
            // A path, an option, FreeBSD's `user:group`.
            guard ImportMachine.isName(name) else {
                return leaveOut(
                    "'\(name.prefix(60))' stands where a system crontab names the user",
                    fix:
                        "write the user's name between the schedule and the command, or say `--user NAME` if this is a user's crontab",
                    bytes, number)
            }
            user = name
            field = command
        } else if let owner, !ImportMachine.isName(owner) {
            return leaveOut(
                "'\(owner.prefix(60))' is no user's name", fix: "say whose crontab this is: `--user NAME`",
                bytes, number)
        }
        let command = CrontabCommand(field)
        guard !command.command.isEmpty else {
            let fault = CrontabLine.Fault.noCommand
            return leaveOut(fault.message, fix: fault.fix, bytes, number)
        }
        items.append(
            .job(
                CrontabJob(
                    comments: pending, path: file.path, line: number, schedule: schedule, user: user,
                    command: command,
                    variables: variables)))
        pending = []
    }

    private mutating func leaveOut(_ message: String, fix: String, _ bytes: ArraySlice<UInt8>, _ number: Int)
    {
        let note = ImportNote(.error, file.path, line: number, message, fix: fix)
        notes.append(note)
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        items.append(.comments(pending + ["\(file.path):\(number): \(text)", note.comment], user: owner))
        pending = []
    }

    private mutating func warn(_ message: String, fix: String, _ number: Int) {
        let note = ImportNote(.warning, file.path, line: number, message, fix: fix)
        notes.append(note)
        pending.append(note.comment)
    }
}
