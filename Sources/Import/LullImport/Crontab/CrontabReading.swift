/// The cron by whose rules crontabs are read, and whether what it passes over is imported all the same.
struct CrontabReading {
    var machine: ImportMachine
    var cron: CronKind
    var takesAll: Bool

    /// Why cron passes over the whole of a file that it would open.
    func refusal(of file: CrontabFile, hasUsers: Bool) -> (line: Int, refusal: CronRefusal)? {
        guard file.status != nil, cron.passesOverWholeFile else { return nil }
        let lines = CrontabReader.lines(of: file.bytes)
        if lines.count - 1 > cron.lineCount { return (1, .tooManyLines(cron.lineCount)) }
        for (index, bytes) in lines.enumerated() {
            guard let what = syntaxFault(bytes, hasUsers: hasUsers) else { continue }
            return (index + 1, .syntax(what))
        }
        // Behind the last line end cron overlooks only blanks and a comment.
        let rest = lines.last?.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? []
        return rest.isEmpty || rest.first == UInt8(ascii: "#") ? nil : (lines.count, .noLineEnd)
    }

    /// The fault that Debian's cron finds in a line.
    private func syntaxFault(_ bytes: ArraySlice<UInt8>, hasUsers: Bool) -> String? {
        let blanks = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let line = bytes.dropFirst(blanks.count)
        // cron looks for a setting in the beginning of the line only, and cuts the value there.
        let head = start(of: line)
        switch CrontabLine(head, by: cron) {
        case .blank: return line.isEmpty ? nil : "a carriage return alone"
        case .comment: return nil
        case .variable(let name, let value):
            guard value.isEmpty,
                !line.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") })
            else { return nil }
            return "nothing follows '\(name.prefix(60)) ='"
        case .broken(.noCommand) where !hasUsers:
            // To cron an empty command is a command.
            let fields = String(decoding: head, as: UTF8.self).split { $0 == " " || $0 == "\t" }
            guard case .fault(let what) = CronGrammar.reading(of: fields.joined(separator: " "), by: cron)
            else { return nil }
            return what
        case .broken(let fault): return fault.isCrons ? fault.message : nil
        case .job(let schedule, let rest):
            // The dash that keeps cronie from logging.
            if line.first == UInt8(ascii: "-") { return "bad minute" }
            if case .fault(let what) = CronGrammar.reading(of: schedule, by: cron) {
                return "\(what) in '\(schedule)'"
            }
            return commandFault(rest, beyond: line.count - head.count, hasUsers: hasUsers)
        }
    }

    /// The part of a line that is searched for a setting, without a character that this would cut in two.
    func start(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.count > cron.settingLength else { return line }
        var end = line.startIndex + cron.settingLength
        while end > line.startIndex, line[end] & 0xC0 == 0x80 { end -= 1 }
        return line[..<end]
    }

    private func commandFault(_ rest: String, beyond: Int, hasUsers: Bool) -> String? {
        // The length counts from behind the blanks of a user's line, and from one blank behind the user.
        var length = rest.utf8.count + beyond
        if hasUsers {
            let (name, command) = CrontabLine.split(rest)
            if command.isEmpty { return "no command after '\(name.prefix(60))'" }
            if !machine.isUser(name) { return "no account '\(name.prefix(60))'" }
            length -= name.utf8.count + 1
        } else if rest.hasPrefix("*") {
            return "bad command: '*' is where the command begins, like a sixth field"
        }
        return length > cron.commandLength
            ? "its command has \(length) bytes; the limit is \(cron.commandLength)" : nil
    }

    /// Why cron passes over a line, by its schedule.
    func fault(of schedule: String, in file: CrontabFile, isWhole: Bool) -> String? {
        if file.status != nil, !isWhole, !cron.passesOverWholeFile {
            return "\(cron.name) does not run it: it has no line end"
        }
        if file.status != nil, case .fault(let what) = CronGrammar.reading(of: schedule, by: cron) {
            return "\(cron.name) does not run it: \(what) in '\(schedule)'"
        }
        guard cron == .debian else { return nil }
        let reading = CronGrammar.reading(of: schedule, by: cron)
        // FreeBSD's `@every_minute`, which is also taken from a file that cron would not open.
        if schedule.hasPrefix("@"), case .fault(let what) = reading {
            return "\(cron.name) does not run it: \(what) in '\(schedule)'"
        }
        guard reading == .never else { return nil }
        return "\(cron.name) never runs it: in '\(schedule)' a range ends before it begins, with Sunday as 0"
    }

    /// Why cron runs nothing for a user.
    func refusal(of user: String, in file: CrontabFile) -> CronRefusal? {
        guard file.status != nil else { return nil }
        if !machine.isUser(user) { return .noAccount(user) }
        return machine.isExpired(user) ? .expired(user) : nil
    }
}
