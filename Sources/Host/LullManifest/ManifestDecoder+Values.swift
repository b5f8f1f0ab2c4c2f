import LullModel

extension ManifestDecoder {
    /// The text of a scalar; anything else is reported.
    mutating func text(_ entry: Entry, expected: ValueProblem.Expected = .text) -> String? {
        guard document.isScalar(entry.value) else {
            refuse(entry, expected: expected)
            return nil
        }
        return document.text(entry.value)
    }

    mutating func digest(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        if DigestText.isDigest(text) { return text }
        add(.value(.digest(text)), at: entry.value)
        return nil
    }

    mutating func boolean(_ entry: Entry) -> Bool? {
        if document.nodes[entry.value].shape == .plain {
            let bytes = document.bytes[document.range(entry.value)]
            if bytes.elementsEqual("true".utf8) { return true }
            if bytes.elementsEqual("false".utf8) { return false }
        }
        var remedies: [String] = []
        if document.isScalar(entry.value) {
            switch document.text(entry.value).lowercased() {
            case "yes", "on", "y", "true", "1": remedies = ["true"]
            case "no", "off", "n", "false", "0", "none": remedies = ["false"]
            default: break
            }
        }
        // These keys take other values in `requires` and `usage`, where their examples are from.
        if remedies.isEmpty, entry.key == .network { remedies = ["true", "false"] }
        if remedies.isEmpty, entry.key == .journal { remedies = ["true"] }
        refuse(entry, expected: .boolean, remedies: remedies)
        return nil
    }

    /// Without quotes, as text in quotes is no number.
    mutating func integer(_ entry: Entry, in range: ClosedRange<Int>) -> Int? {
        guard document.nodes[entry.value].shape == .plain, let number = Int(document.text(entry.value)) else {
            var remedies: [String] = []
            if document.isScalar(entry.value), let number = Double(document.text(entry.value)),
                abs(number) < 1e15
            {
                remedies = [String(Int(number.rounded()))]
            }
            refuse(entry, expected: .integer, remedies: remedies)
            return nil
        }
        guard range.contains(number) else {
            outOfRange(entry, "from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    mutating func number(
        _ entry: Entry, over least: Double, upTo most: Double, expected: ValueProblem.Expected = .number,
        remedies: [String] = []
    ) -> Double? {
        guard document.nodes[entry.value].shape == .plain,
            let number = QuantityText.decimal(document.text(entry.value)[...])
        else {
            refuse(entry, expected: expected, remedies: remedies)
            return nil
        }
        guard number > least, number <= most else {
            outOfRange(entry, "over \(QuantityText.plain(least)) and up to \(QuantityText.plain(most))")
            return nil
        }
        return number
    }

    mutating func duration(_ entry: Entry, in range: ClosedRange<Duration>) -> Duration? {
        guard document.isScalar(entry.value),
            let duration = DurationText.parse(document.bytes[document.range(entry.value)])
        else {
            refuse(entry, expected: .duration, remedies: durationRemedies(entry))
            return nil
        }
        return inRange(duration, entry, range)
    }

    /// `.some(nil)` for never.
    mutating func durationOrNever(_ entry: Entry, in range: ClosedRange<Duration>) -> Duration?? {
        if document.isScalar(entry.value) {
            let bytes = document.bytes[document.range(entry.value)]
            if bytes.elementsEqual("never".utf8) { return .some(nil) }
            if let duration = DurationText.parse(bytes) {
                return inRange(duration, entry, range).map { .some($0) }
            }
        }
        var remedies = durationRemedies(entry)
        if document.isScalar(entry.value),
            ["none", "no", "off", "false"].contains(document.text(entry.value))
        {
            remedies = ["never"]
        }
        refuse(entry, expected: .durationOrNever, remedies: remedies)
        return nil
    }

    mutating func size(_ entry: Entry, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = text(entry, expected: .size) else { return nil }
        guard let size = QuantityText.size(text) else {
            refuse(entry, expected: .size, remedies: QuantityText.sizeRemedy(for: text).map { [$0] } ?? [])
            return nil
        }
        guard range.contains(size) else {
            let (least, most) = (QuantityText.size(range.lowerBound), QuantityText.size(range.upperBound))
            outOfRange(entry, "from \(least) to \(most)")
            return nil
        }
        return size
    }

    mutating func share(_ entry: Entry) -> Double? {
        guard let share = anyShare(entry, remedies: { QuantityText.shareRemedy(for: $0).map { [$0] } ?? [] })
        else { return nil }
        guard share >= 0, share <= 1 else {
            outOfRange(entry, "from 0% to 100%")
            return nil
        }
        return share
    }

    mutating func share(
        _ entry: Entry, over least: Double, upTo most: Double,
        remedies: (String) -> [String] = { QuantityText.shareRemedy(for: $0).map { [$0] } ?? [] }
    ) -> Double? {
        guard let share = anyShare(entry, remedies: remedies) else { return nil }
        guard share > least, share <= most else {
            let (least, most) = (QuantityText.plain(least * 100), QuantityText.plain(most * 100))
            outOfRange(entry, "over \(least)% and up to \(most)%")
            return nil
        }
        return share
    }

    private mutating func anyShare(_ entry: Entry, remedies: (String) -> [String]) -> Double? {
        guard let text = text(entry, expected: .share) else { return nil }
        guard let share = QuantityText.share(text) else {
            refuse(entry, expected: .share, remedies: remedies(text))
            return nil
        }
        return share
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ entry: Entry, of type: Choice.Type = Choice.self
    ) -> Choice? {
        guard let text = text(entry) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue)
        // Apple's names for the kinds, and a boolean where a choice is wanted, are slips with an evident
        // remedy.
        let nearest =
            Spelling.nearest(to: text, among: choices)
            ?? Self.meant(text).first { choices.contains($0) }
        add(.value(.notAChoice(entry.key, text: text, choices: choices, nearest: nearest)), at: entry.value)
        return nil
    }

    private static func meant(_ text: String) -> [String] {
        switch text.lowercased() {
        case "true", "yes", "on": ["any", "one"]
        case "run", "once", "latest", "catchup": ["one"]
        case "false", "no", "off", "never", "none", "ignore": ["skip"]
        case "wifi", "lan", "ethernet": ["unmetered"]
        case "failure", "failures", "error", "errors": ["failed"]
        case "late", "missed": ["overdue"]
        case "apprefresh", "bgapprefreshtask", "fetch": ["refresh"]
        case "bgprocessingtask", "process", "maintenance", "cron", "job", "command", "batch", "script",
            "shell":
            ["processing"]
        case "bgcontinuedprocessingtask", "continuedprocessing": ["continued"]
        default: []
        }
    }

    /// The items of a list; a value that is no list is reported.
    mutating func list(_ entry: Entry, remedy: (String) -> String) -> [NodeID]? {
        if isItemWithoutSpace(entry) { return nil }
        guard document.nodes[entry.value].shape == .sequence else {
            refuse(
                entry, expected: .list,
                remedies: document.isScalar(entry.value) ? [remedy(document.text(entry.value))] : [])
            return nil
        }
        return document.contents(of: entry.value).map(document.resolve)
    }

    /// Reports `-item` and `-key: value` below a key that takes a list: to YAML they are text and a key.
    mutating func isItemWithoutSpace(_ entry: Entry, showsText: Bool = true) -> Bool {
        var node = entry.value
        if document.nodes[node].shape == .mapping {
            guard let key = document.contents(of: node).first(where: { _ in true }) else { return false }
            node = document.resolve(key)
        }
        guard document.nodes[node].shape == .plain else { return false }
        let text = document.text(node)
        guard text.hasPrefix("-"), text.count > 1 else { return false }
        // The items below it are joined to the first.
        let isFirst = node == entry.value && showsText
        let first = text.dropFirst().prefix(upTo: text.firstRange(of: " -")?.lowerBound ?? text.endIndex)
        add(.structure(.spaceAfterDash(isFirst ? String(first) : nil)), at: node)
        return true
    }

    mutating func refuse(_ entry: Entry, expected: ValueProblem.Expected, remedies: [String] = []) {
        let found = found(entry.value)
        add(
            .value(.wrongType(entry.key, expected: expected, found: found, remedies: remedies)),
            at: entry.value)
    }

    private mutating func inRange(_ duration: Duration, _ entry: Entry, _ range: ClosedRange<Duration>)
        -> Duration?
    {
        if range.contains(duration) { return duration }
        outOfRange(
            entry, "from \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))")
        return nil
    }

    private mutating func outOfRange(_ entry: Entry, _ range: String) {
        add(.value(.outOfRange(entry.key, text: document.text(entry.value), range: range)), at: entry.value)
    }

    private func durationRemedies(_ entry: Entry) -> [String] {
        guard !problems.isFull, document.isScalar(entry.value) else { return [] }
        let text = document.text(entry.value)
        // No limit means the longest one, and no spread means 0 s.
        if ["none", "never", "no", "off", "unlimited", "infinity", "0", "-1"].contains(text.lowercased()) {
            if entry.key == .timeLimit { return ["1d"] }
            if entry.key == .spread { return ["0s"] }
        }
        // Without a unit, any unit may be meant.
        if let count = DurationText.wholeNumber(Array(text.utf8)[...]), count > 0 {
            return ["s", "m", "h"].map { "\(count)\($0)" }
        }
        return DurationText.remedy(for: text).map { [$0] } ?? []
    }
}
