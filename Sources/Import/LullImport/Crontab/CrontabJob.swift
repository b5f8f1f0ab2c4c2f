/// A line of a crontab that runs something, with the environment that stood above it.
struct CrontabJob {
    /// The comments above the line, as they were written.
    var comments: [String]
    var path: String
    var line: Int
    var schedule: String
    /// Nil: the user who will run the host.
    var user: String?
    var command: CrontabCommand
    var variables: CrontabVariables
    /// Possible names of its task, the best first.
    var names: [String] = []
    /// Whether other lines follow at once, so that the comments may be about all of them.
    var headsGroup = false

    /// The comment directly above the line, if it is about this line alone.
    var title: String? {
        headsGroup ? nil : comments.last { !ImportNote.isOurs($0) }
    }

    /// The addresses that get its output.
    func mail(on machine: ImportMachine) -> [String] {
        var addresses: [String] = []
        for address in variables.mail ?? (machine.sendsMail ? [user].compactMap { $0 } : [])
        where ImportMachine.isAddress(address) && !addresses.contains(address) {
            addresses.append(address)
        }
        return addresses
    }

    /// The command in the manifest: a line that asks first does not fail if the answer is no.
    var run: String {
        let shell = variables.shell.split(separator: "/").last.map(String.init) ?? ""
        guard ["sh", "bash", "dash", "ksh", "zsh"].contains(shell) else { return command.command }
        return GuardedLine.withIf(command.command) ?? command.command
    }

    /// Its place, for the manifest and for notes.
    var origin: String { "\(path):\(line)" }
}

/// The `NAME = value` lines in force at a line, in their order.
struct CrontabVariables: Equatable {
    var cron: CronKind
    private(set) var names: [String] = []
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    mutating func set(_ name: String, to value: String) {
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }

    mutating func remove(_ name: String) {
        values[name] = nil
        names.removeAll { $0 == name }
    }

    /// Variables for cron itself, which are carried over in another form.
    static let ofCron: Set<String> = ofMail.union([
        "SHELL", "MAILTO", "CRON_TZ", "RANDOM_DELAY", "MLS_LEVEL",
    ])
    /// Variables about cron's mail, which have no counterpart.
    static let ofMail: Set<String> = ["MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"]
    static let limit = 16 << 10

    var size: Int { values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

    init(_ cron: CronKind) { self.cron = cron }

    /// The zone of the times, if cron knows the variable.
    var zone: String? { cron == .cronie ? values["CRON_TZ"] : nil }

    /// The most minutes of a random delay, if cron knows the variable.
    var delay: String? { cron == .cronie ? values["RANDOM_DELAY"] : nil }

    /// The shell of the job; cron's is `/bin/sh`.
    var shell: String { values["SHELL"] ?? "/bin/sh" }

    /// The addresses to which cron mails the job's output; nil: to its user.
    var mail: [String]? {
        values["MAILTO"].map { text in
            text.split(separator: ",").map { address in
                var address = address.drop { $0 == " " || $0 == "\t" }
                while let last = address.last, last == " " || last == "\t" { address.removeLast() }
                return String(address)
            }
        }
    }

    /// The environment of the job, apart from what its user and its shell add.
    var environment: [(name: String, value: String)] {
        let path = values["PATH"] == nil ? [("PATH", "/usr/bin:/bin")] : []
        return path + names.filter { !cron.reads($0) }.map { ($0, values[$0] ?? "") }
    }
}
