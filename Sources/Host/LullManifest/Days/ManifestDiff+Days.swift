import LullModel

/// Days as a diff writes them.
extension ManifestDiff {
    /// "except Sat; calendar:holidays.ics", "until 2027-03-31": for the one line of a task.
    static func words(of days: OpenDays?) -> [String] {
        guard let days else { return [] }
        var words: [String] = []
        if let only = days.only { words.append("only " + only.texts.joined(separator: "; ")) }
        if !days.except.texts.isEmpty {
            words.append("except " + days.except.texts.joined(separator: "; "))
        }
        if let from = days.from { words.append("from " + Phrase.date(ofDay: from)) }
        if let until = days.until { words.append("until " + Phrase.date(ofDay: until)) }
        return words
    }

    /// The list as it is written, and the days that files give it: by file and year, so that a changed file shows where.
    static func words(of list: DayList?, _ key: LullManifest.Key) -> Words {
        let name = key.rawValue
        guard let list, !list.texts.isEmpty else { return [(name, nil)] }
        var words: Words = [(name, Self.list(list.texts))]
        var (byYear, byRule): ([String: [String]], [String: [String]]) = ([:], [:])
        for span in list.once {
            guard let file = span.file else { continue }
            let first = Phrase.date(ofDay: span.first)
            let last = Phrase.date(ofDay: span.last)
            let end = last.prefix(4) == first.prefix(4) ? last.dropFirst(5) : last[...]
            byYear["\(name).\(file) \(first.prefix(4))", default: []].append(
                first.dropFirst(5) + (span.last > span.first ? "..\(end)" : ""))
        }
        words += byYear.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ", ")) }
        // An event on several weekdays is several rules of one name.
        var rules: [String] = []
        for repeated in list.again {
            guard let file = repeated.span.file else { continue }
            let first = Phrase.date(ofDay: repeated.span.first)
            let rule = "\(name).\(file) \(repeated.span.name ?? first)"
            if byRule[rule] == nil { rules.append(rule) }
            byRule[rule, default: []].append(text(repeated, from: first))
        }
        return words + rules.map { ($0, byRule[$0]?.joined(separator: "; ")) }
    }

    private static func text(_ days: RepeatedDays, from first: String) -> String {
        func numbers(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
        func parts(_ days: DaysOfMonth) -> String {
            let weekdays = days.weekdays.map {
                "\($0.ordinal.map(String.init) ?? "")\(WindowText.days[$0.day])"
            }
            return (days.months.isEmpty ? "" : ", month \(numbers(days.months))")
                + (days.days.isEmpty ? "" : ", day \(numbers(days.days))")
                + (weekdays.isEmpty ? "" : ", \(weekdays.joined(separator: ","))")
        }
        let rule =
            switch days.rule {
            case .days(let step): "every \(step)d"
            case .months(let step, let days): "every \(step) months" + parts(days)
            case .years(let step, let days): "every \(step) years" + parts(days)
            }
        let length = days.span.last - days.span.first + 1
        return rule + " from \(first)" + (length > 1 ? ", \(length) days each" : "")
            + (days.until.map { " until \(Phrase.date(ofDay: $0))" } ?? "")
            + (days.without.isEmpty
                ? "" : " without \(days.without.map(Phrase.date(ofDay:)).joined(separator: ","))")
    }
}
