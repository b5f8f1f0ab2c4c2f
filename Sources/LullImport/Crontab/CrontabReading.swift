/// By whose rules crontabs are read, and whether what those pass over is taken all the same.
struct CrontabReading {
    var machine: ImportMachine
    var cron: CronKind
    var takesAll: Bool

    /// Why cron passes over all of a file that it would open.
    func refusal(of file: CrontabFile, hasUsers: Bool) -> (line: Int, refusal: CronRefusal)? {
        guard file.status != nil, cron.passesOverWholeFile else { return nil }
        let lines = CrontabReader.lines(of: file.bytes)
        if lines.count - 1 > cron.lineCount { return (1, .tooManyLines(cron.lineCount)) }
        for (index, bytes) in lines.enumerated() {
            guard let what = syntaxFault(bytes, hasUsers: hasUsers) else { continue }
            return (index + 1, .syntax(what))
        }
        return lines.last?.isEmpty == false ? (lines.count, .noLineEnd) : nil
    }

    private func syntaxFault(_ bytes: ArraySlice<UInt8>, hasUsers: Bool) -> String? {
        switch CrontabLine(bytes) {
        case .blank, .comment, .variable: return nil
        case .broken(let fault): return fault.isCrons ? fault.message : nil
        case .job(let schedule, let rest):
            // The dash that keeps cronie from logging.
            if bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "-") { return "bad minute" }
            if case .fault(let what) = CronGrammar.reading(of: schedule, by: cron) {
                return "\(what) in '\(schedule)'"
            }
            guard hasUsers else { return nil }
            let (name, command) = CrontabLine.split(rest)
            if command.isEmpty { return "no command behind '\(name.prefix(60))'" }
            return machine.isUser(name) ? nil : "no account '\(name.prefix(60))'"
        }
    }

    /// Why cron passes over a line, by its schedule.
    func fault(of schedule: String, in file: CrontabFile, isWhole: Bool) -> String? {
        if file.status != nil, !isWhole, !cron.passesOverWholeFile {
            return "\(cron.name) does not run it: it has no line end"
        }
        if file.status != nil, case .fault(let what) = CronGrammar.reading(of: schedule, by: cron) {
            return "\(cron.name) does not run it: \(what) in '\(schedule)'"
        }
        guard cron == .debian, CronGrammar.reading(of: schedule, by: cron) == .never else { return nil }
        return "\(cron.name) never runs it: in '\(schedule)' a range ends before it begins, with Sunday as 0"
    }

    /// Why cron runs nothing of a user.
    func refusal(of user: String, in file: CrontabFile) -> CronRefusal? {
        guard file.status != nil else { return nil }
        if !machine.isUser(user) { return .noAccount(user) }
        return machine.isExpired(user) ? .expired(user) : nil
    }
}
