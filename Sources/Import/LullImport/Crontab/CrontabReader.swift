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
    private let reading: CrontabReading
    private var variables: CrontabVariables
    private var pending: [String] = []
    private var owner: String?
    /// Users that were reported as missing on this machine.
    private var missingUsers: Set<String> = []
    /// Whether it was reported that the lines end as on Windows.
    private var saysLineEnds = false

    init(_ file: CrontabFile, hasUsers: Bool, _ reading: CrontabReading) {
        self.file = file
        self.reading = reading
        variables = CrontabVariables(reading.cron)
        if case .user(let name) = file.format { owner = name }
        let lines = Self.lines(of: file.bytes)
        for (index, bytes) in lines.enumerated() {
            // The text behind the last line end is a line without one.
            let isWhole = index < lines.count - 1
            read(CrontabLine(bytes, by: reading.cron), bytes, index + 1, hasUsers: hasUsers, isWhole: isWhole)
        }
        setAside()
        stayWithJobs()
    }

    /// Sets aside the comments that no job follows directly.
    private mutating func setAside() {
        if !pending.isEmpty { items.append(.comments(pending, user: owner)) }
        pending = []
    }

    /// Comments without a user get that of the next job in the file, or of the last one if none follows.
    private mutating func stayWithJobs() {
        var next: String?
        for index in items.indices.reversed() {
            switch items[index] {
            case .job(let job): next = job.user
            case .comments(let comments, nil): items[index] = .comments(comments, user: next)
            case .comments: break
            }
        }
        var last: String?
        for index in items.indices {
            switch items[index] {
            case .job(let job): last = job.user
            case .comments(let comments, nil): items[index] = .comments(comments, user: last)
            case .comments: break
            }
        }
    }

    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private mutating func read(
        _ line: CrontabLine, _ bytes: ArraySlice<UInt8>, _ number: Int, hasUsers: Bool, isWhole: Bool
    ) {
        switch line {
        case .blank: setAside()
        case .comment(let text): pending.append(text)
        case .variable(let name, let value):
            setAside()
            let bare = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let head = reading.start(of: bare)
            if file.status != nil, head.count < bare.count,
                case .variable(_, let start) = CrontabLine(head, by: reading.cron)
            {
                warn(.cutShort(name), number)
                return set(name, to: start, head, number)
            }
            set(name, to: value, bytes, number)
        case .job(let schedule, let rest):
            if let fault = reading.fault(of: schedule, in: file, isWhole: isWhole) {
                passOver(fault, fix: "correct the line, or use `--all`", bytes, number)
                if !reading.takesAll { return }
            }
            job(schedule, rest, bytes, number, hasUsers: hasUsers)
        case .broken(let fault): leaveOut(fault.message, fix: fault.fix, bytes, number)
        }
    }

    private mutating func set(_ name: String, to value: String, _ bytes: ArraySlice<UInt8>, _ number: Int) {
        if let doubt = CrontabDoubt(name, value, bytes, by: reading.cron) {
            warn(doubt, number)
            if case .oddName = doubt { return }
        }
        if reading.cron.fixedVariables.contains(name) {
            warn(
                "\(name) can't be set in a crontab, and cron ignores it too", fix: "take the line out", number
            )
            return
        }
        if name == "CRON_TZ", reading.cron.reads(name), !reading.machine.isZone(value) {
            warn(
                "no time zone is named '\(value.prefix(60))', so the host's is used",
                fix: "write one such as Europe/Berlin, or `timezone` in the manifest", number)
            variables.remove(name)
            return
        }
        if let (message, fix) = unheard(name, value) { warn(message, fix: fix, number) }
        var longer = variables
        longer.set(name, to: value)
        guard longer.size <= CrontabVariables.limit else {
            warn(
                "the variables are longer than \(CrontabVariables.limit) bytes, so \(name) is left out",
                fix: "set it in a script", number)
            return
        }
        variables = longer
        if name == "MAILTO" {
            for address in variables.mail ?? [] where !ImportMachine.isAddress(address) {
                warn(
                    "no mail goes to '\(address.prefix(60))', which is not an address",
                    fix: "write the address alone, such as ops@example.org, or a user's name", number)
            }
        }
    }

    /// The note for a variable that cron uses, and that a manifest does not have.
    private func unheard(_ name: String, _ value: String) -> (message: String, fix: String)? {
        if CrontabVariables.ofMail.contains(name) {
            return (
                "not carried over: \(name)=\(value.prefix(60)); lull's mail is plain text from the user that runs it",
                "have a `command` under `notify` send it, if it matters"
            )
        }
        guard CronKind.ofCronieAlone.contains(name) else { return nil }
        if !reading.cron.reads(name) {
            return (
                "\(reading.cron.name) does not know \(name), and only passes it to the job",
                "use `--cron cronie` if the crontab comes from a machine with cronie"
            )
        }
        if name == "MLS_LEVEL" {
            return (
                "not carried over: MLS_LEVEL, SELinux's level for the job", "begin the command with runcon(1)"
            )
        }
        return nil
    }

    private mutating func job(
        _ schedule: String, _ rest: String, _ bytes: ArraySlice<UInt8>, _ number: Int, hasUsers: Bool
    ) {
        var user = owner
        var field = rest
        if hasUsers {
            let (name, command) = CrontabLine.split(rest)
            // A path, an option, FreeBSD's `user:group`.
            guard ImportMachine.isName(name) else {
                return leaveOut(
                    "'\(name.prefix(60))' is in the place of the user's name",
                    fix:
                        "write the user's name between the schedule and the command, or use `--user NAME` if this is a user's crontab",
                    bytes, number)
            }
            user = name
            field = command
            if file.status == nil, !reading.machine.isUser(name), missingUsers.insert(name).inserted {
                warn(
                    "there is no user '\(name)' on this machine",
                    fix:
                        "make it with `useradd --system \(name)`, or write another after `user:` of its app",
                    number)
            }
        } else if let owner, !ImportMachine.isName(owner) {
            return leaveOut(
                "'\(owner.prefix(60))' is not a user's name", fix: "say whose crontab this is: `--user NAME`",
                bytes, number)
        }
        let command = CrontabCommand(field, by: reading.cron)
        if !hasUsers, command.command.hasPrefix("*") {
            let doubt = CrontabDoubt.sixthField("*")
            return leaveOut(doubt.message, fix: doubt.fix, bytes, number)
        }
        guard !command.command.isEmpty else {
            let fault = field.isEmpty ? CrontabLine.Fault.noCommand : .emptyCommand
            return leaveOut(fault.message, fix: fault.fix, bytes, number)
        }
        if let user, let refusal = reading.refusal(of: user, in: file) {
            passOver(
                "\(reading.cron.name) does not run it: \(refusal.message)",
                fix: "make the account valid, or use `--all`", bytes, number)
            if !reading.takesAll { return }
        }
        if pending.allSatisfy(ImportNote.isOurs), case .job(var above)? = items.last, above.line == number - 1
        {
            above.headsGroup = true
            items[items.count - 1] = .job(above)
        }
        if !hasUsers {
            if let doubt = CrontabDoubt(sixthField: field, on: reading.machine) { warn(doubt, number) }
            nameUser(in: field, number)
        }
        if command.isCutInQuote {
            warn(.cutInQuote(command.command), number)
        } else if command.isCutInDate {
            warn(.cutInDate(command.command), number)
        }
        if bytes.last == UInt8(ascii: "\r"), !saysLineEnds {
            saysLineEnds = true
            warn(.carriageReturn, number)
        }
        items.append(
            .job(
                CrontabJob(
                    comments: pending, path: file.path, line: number, schedule: schedule, user: user,
                    command: command, variables: variables)))
        pending = []
    }

    /// A user's column that was left in a user's crontab, as in a line from `/etc/cron.d`: cron takes the name for a program.
    private mutating func nameUser(in field: String, _ number: Int) {
        let (word, rest) = CrontabLine.split(field)
        let machine = reading.machine
        if machine.isUser(word), !machine.isProgram(word), !rest.isEmpty,
            // A user is followed by a program; `mail -s` is a program that is not installed.
            !rest.hasPrefix("-")
        {
            warn(
                "the command begins with a user, '\(word)', but cron would look for a program of that name",
                fix:
                    "take it out, and put the task into an app with `user: \(word)`; or use `--system` if every line "
                    + "of the file names a user", number)
        } else if machine.mayBeUser(word, before: rest) {
            warn(
                "the command begins with '\(word)', which is neither a program nor a user of this machine",
                fix: "if it is a user, take it out, or use `--system` if every line of the file names one",
                number)
        }
    }

    private mutating func leaveOut(_ message: String, fix: String, _ bytes: ArraySlice<UInt8>, _ number: Int)
    {
        setAside(ImportNote(.error, file.path, line: number, message, fix: fix), bytes)
    }

    /// A line that cron does not run; with `--all` it is imported, with a warning.
    private mutating func passOver(_ message: String, fix: String, _ bytes: ArraySlice<UInt8>, _ number: Int)
    {
        if reading.takesAll { return warn(message, fix: "to leave it out, import without `--all`", number) }
        setAside(ImportNote(.note, file.path, line: number, message, fix: fix), bytes)
    }

    private mutating func setAside(_ note: ImportNote, _ bytes: ArraySlice<UInt8>) {
        notes.append(note)
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        items.append(.comments(pending + ["\(file.path):\(note.line): \(text)", note.comment], user: owner))
        pending = []
    }

    private mutating func warn(_ doubt: CrontabDoubt, _ number: Int) {
        warn(doubt.message, fix: doubt.fix, number)
    }

    private mutating func warn(_ message: String, fix: String, _ number: Int) {
        let note = ImportNote(.warning, file.path, line: number, message, fix: fix)
        notes.append(note)
        pending.append(note.comment)
    }
}
