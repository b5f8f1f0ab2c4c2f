/// A line of a crontab that runs something, with the environment that stood above it.
struct CrontabJob {
    /// The comments above the line, as they were written.
    var comments: [String]
    var path: String
    var line: Int
    var schedule: String
    /// Nil: who will run the host.
    var user: String?
    var command: CrontabCommand
    var variables: CrontabVariables
    /// What its task may be called, the best first.
    var names: [String] = []
    /// Whether other lines follow at once, so that the comments may be about all of them.
    var headsGroup = false

    /// What stands directly above the line and is about it alone.
    var title: String? {
        headsGroup ? nil : comments.last { !ImportNote.isOurs($0) }
    }

    /// Who is told what it prints.
    func mail(on machine: ImportMachine) -> [String] {
        var addresses: [String] = []
        for address in variables.mail ?? (machine.sendsMail ? [user].compactMap { $0 } : [])
        where ImportMachine.isAddress(address) && !addresses.contains(address) {
            addresses.append(address)
        }
        return addresses
    }

    /// As the manifest has it: a line that asks first is no failure where the answer is no.
    var run: String {
        let shell = variables.shell.split(separator: "/").last.map(String.init) ?? ""
        guard ["sh", "bash", "dash", "ksh", "zsh"].contains(shell) else { return command.command }
        return GuardedLine.withIf(command.command) ?? command.command
    }

    /// In the manifest and in what is said of it.
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

    /// What speaks to cron itself, and is carried over as something else than a variable.
    static let ofCron: Set<String> = ofMail.union([
        "SHELL", "MAILTO", "CRON_TZ", "RANDOM_DELAY", "MLS_LEVEL",
    ])
    /// What says how cron mails, and has no counterpart.
    static let ofMail: Set<String> = ["MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING"]
    static let limit = 16 << 10

    var size: Int { values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

    init(_ cron: CronKind) { self.cron = cron }

    /// The zone of the times, where cron knows such a thing.
    var zone: String? { cron == .cronie ? values["CRON_TZ"] : nil }

    /// Up to so many minutes later, where cron knows such a thing.
    var delay: String? { cron == .cronie ? values["RANDOM_DELAY"] : nil }

    /// The shell of the job; cron's is `/bin/sh`.
    var shell: String { values["SHELL"] ?? "/bin/sh" }

    /// To whom cron mails what the job prints; nil: to its user.
    var mail: [String]? {
        values["MAILTO"].map { text in
            text.split(separator: ",").map { address in
                var address = address.drop { $0 == " " || $0 == "\t" }
                while let last = address.last, last == " " || last == "\t" { address.removeLast() }
                return String(address)
            }
        }
    }

    /// What the job finds in its environment, apart from what its user and its shell say.
    var environment: [(name: String, value: String)] {
        let path = values["PATH"] == nil ? [("PATH", "/usr/bin:/bin")] : []
        return path + names.filter { !cron.reads($0) }.map { ($0, values[$0] ?? "") }
    }
}
