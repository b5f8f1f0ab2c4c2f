import LullModel

@testable import LullUsage

/// A file of uses in any format: an error names each line that is no use, and the sums add up.
///
/// The first byte selects the format, so that one corpus covers all.
enum UsageCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let mode = bytes.first else { return }
        let text = Array(bytes.dropFirst())
        if mode & 0xF == 15 {
            switch mode >> 4 & 3 {
            case 1: return try followLogins(text)
            case 2: return try readJournal(text)
            default: return try follow(text)
            }
        }
        if mode & 0xF == 14 { return try readUsageFile(text) }
        let options = self.options(Int(mode & 0xF), hasApp: mode & 0x10 == 0)
        let first = try read(text, options)
        try hold(first == (try read(text, options)), "read twice it is not the same")
    }

    private static let now = WallTime(seconds: 1_795_219_200)
    private static let zone = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
        ])

    private static func options(_ mode: Int, hasApp: Bool) -> ImportOptions {
        var options = ImportOptions(app: hasApp ? AppIdentifier("com.example.App") : nil, now: now)
        options.zone = zone
        options.prefix = hasApp ? nil : "com.example"
        switch mode {
        case 1: options.format = .common
        case 2: options.format = .jsonl
        case 3: options.format = .csv
        case 4: options.format = .git
        case 5: (options.format, options.time) = (.common, .format(.rfc3339))
        case 6: (options.format, options.time) = (.common, .format(.strptime("%b %e %H:%M:%S")))
        case 7: (options.format, options.time) = (.csv, .format(.strptime("%d.%m.%y %I:%M %p %z")))
        case 8: (options.format, options.field) = (.jsonl, "a.b")
        case 9: (options.format, options.column) = (.csv, "2")
        case 10: (options.format, options.time) = (.common, .unixMilliseconds)
        case 11: (options.format, options.time) = (.csv, .format(.strptime("%C%y %j %n%t%H%M %s")))
        case 12: (options.format, options.match) = (.common, "GET /(feed|.*\\.json)")
        case 13: (options.format, options.time) = (.jsonl, .unix)
        default: break
        }
        return options
    }

    private struct Outcome: Equatable {
        var refusal: String?
        var times: [String: [WallTime]] = [:]
        var problems: [ImportProblem] = []
    }

    private static func read(_ text: [UInt8], _ options: ImportOptions) throws -> Outcome {
        let result: UsageImport
        do {
            result = try UsageImport.read(ImportInput(name: "uses", bytes: text), options: options)
        } catch {
            try check(error)
            return Outcome(refusal: error.message)
        }
        let uses = result.apps.values.reduce(0) { $0 + $1.uses }
        try hold(
            result.lines == uses + result.unmatched + result.beforeSince + result.refused,
            "\(result.lines) lines, but \(uses) uses, \(result.unmatched) unmatched and \(result.refused) refused"
        )
        try hold(
            result.problems.count == min(result.refused, UsageImport.problemCount),
            "\(result.refused) are refused and \(result.problems.count) named")
        try result.problems.forEach(check)
        var outcome = Outcome(problems: result.problems)
        for (app, uses) in result.apps {
            let sessions = uses.times.sessions()
            try hold(!sessions.isEmpty, "\(uses.uses) uses of \(app) make no session")
            try hold(sessions.allSatisfy { $0 <= now }, "a session in the future")
            try hold(
                zip(sessions, sessions.dropFirst()).allSatisfy { $1 - $0 >= UsageSessions.gap },
                "sessions that are one")
            outcome.times[app.text] = sessions
        }
        return outcome
    }

    private static func readUsageFile(_ text: [UInt8]) throws {
        do {
            let rows = try UsageFile.read(ImportInput(name: "uses", bytes: text))
            try hold(rows.allSatisfy { !$0.app.isEmpty }, "a use of no app")
        } catch let error as ImportError {
            try check(error)
        }
    }

    private static func check(_ error: ImportError) throws {
        try hold(!error.message.isEmpty && !error.fix.isEmpty, "no remedy: \(error)")
        try hold(isPlain(error.message), "a terminal would obey: \(error.message.debugDescription)")
        if case .lines(let problems, _) = error { try problems.forEach(check) }
    }

    private static func check(_ problem: ImportProblem) throws {
        try hold(problem.line > 0 && problem.column > 0, "no place: \(problem)")
        try hold(!problem.message.isEmpty && !problem.fix.isEmpty, "no remedy: \(problem)")
        try hold(
            isPlain(problem.description), "a terminal would obey: \(problem.description.debugDescription)")
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Follows a log.
    private static func follow(_ text: [UInt8]) throws {
        try follow(text) {
            let reader = LineReader(
                match: "GET /feed", time: .common, moment: { Moment(now: now, zone: zone) })
            guard let reader else { throw Broken("its own expression is none") }
            return reader
        }
    }

    /// Follows login records, from any offset within the first record.
    private static func followLogins(_ text: [UInt8]) throws {
        let (user, offset) = (text.first == 0 ? nil : "kim", Int64(text.first ?? 0))
        try follow(Array(text.dropFirst())) {
            var reader = LoginReader(user: user)
            reader.restart(at: offset, isMidLine: false)
            return reader
        }
    }

    /// The uses are the same, however the bytes are split into reads.
    private static func follow(_ text: [UInt8], _ make: () throws -> some UseReader) throws {
        let portion = Int(text.first ?? 0) + 1
        let log = text.dropFirst()
        func uses(_ portion: Int) throws -> (times: [WallTime], tooLong: Int, withoutTime: Int) {
            var reader = try make()
            var times: [WallTime] = []
            var rest = log
            while !rest.isEmpty {
                reader.feed(rest.prefix(portion)) { times.append($0) }
                rest = rest.dropFirst(portion)
            }
            reader.finish { times.append($0) }
            return (times, reader.tooLong, reader.withoutTime)
        }
        let (whole, parts) = (try uses(max(1, log.count)), try uses(portion))
        try hold(whole == parts, "whole it has \(whole), in pieces of \(portion) bytes \(parts)")
        try hold(whole.times.allSatisfy { $0 > .distantPast && $0 < .distantFuture }, "\(whole.times)")
    }

    /// Reads the output of `journalctl`, or bytes that resemble it.
    private static func readJournal(_ text: [UInt8]) throws {
        var splitter = LineSplitter()
        var lines: [ArraySlice<UInt8>] = []
        splitter.feed(text[...]) { lines.append($0) }
        splitter.finish { lines.append($0) }
        for line in lines {
            guard let entry = JournalEntry(json: line) else { continue }
            _ = (now - entry.time, entry.time.rfc3339)
            try hold(entry == JournalEntry(json: line), "read twice it is not the same")
        }
    }
}
