public import LullModel

extension ExactTimes {
    /// Parses one text: a cron expression, a word of cron's such as `@daily`, or words such as `daily 02:30`.
    public init(_ text: String) throws(AtFault) {
        let words = AtWords(text)
        guard let first = words.first else { throw AtFault(.empty, at: 0..<words.count) }
        if words[first].hasPrefix("@") {
            guard words.words.count == 1 else {
                if words[first].lowercased() == "@every" {
                    throw AtFault(.every(words[words.words[1]]), at: first.lowerBound..<words.end)
                }
                throw AtFault(.unexpected(words[words.words[1]]), at: words.words[1])
            }
            if words[first].lowercased() == "@reboot" {
                self.init(isAtBoot: true)
                return
            }
        }
        self.init(calendar: [try CalendarTime(words)])
    }

    /// Adds the times of another text.
    public mutating func formUnion(_ other: ExactTimes) {
        calendar += other.calendar.filter { !calendar.contains($0) }
        isAtBoot = isAtBoot || other.isAtBoot
    }
}

extension CalendarTime {
    /// A cron expression, a word of cron's, or words.
    public init(_ text: String) throws(AtFault) { try self.init(AtWords(text)) }

    init(_ words: AtWords) throws(AtFault) {
        do throws(AtFault) {
            self = try Self.read(words)
        } catch {
            // This error has the better remedy.
            if error.reason == .weekly { throw error }
            throw SpokenTimes.fault(words) ?? error
        }
    }

    private static func read(_ words: AtWords) throws(AtFault) -> CalendarTime {
        guard let first = words.first else { throw AtFault(.empty, at: 0..<words.count) }
        let times: CalendarTime
        if words[first].hasPrefix("@") {
            times = try nickname(words)
        } else if words.isCron {
            times = try cron(words)
        } else {
            var parser = CalendarWords(words)
            times = try parser.time()
        }
        guard times.comesEver else {
            throw AtFault(.never, at: words.isCron ? words.words[2] : first.lowerBound..<words.end)
        }
        return times
    }
}

/// The text of a time as Unicode scalars, with the ranges of its words.
struct AtWords {
    let text: String
    let scalars: [Unicode.Scalar]
    /// The words between spaces and tabs.
    let words: [Range<Int>]

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
        var words: [Range<Int>] = []
        var start: Int?
        for (index, scalar) in scalars.enumerated() {
            if scalar == " " || scalar == "\t" {
                if let begun = start { words.append(begun..<index) }
                start = nil
            } else if start == nil {
                start = index
            }
        }
        if let start { words.append(start..<scalars.count) }
        self.words = words
    }

    var count: Int { scalars.count }
    var first: Range<Int>? { words.first }
    /// After the last word.
    var end: Int { words.last?.upperBound ?? 0 }

    subscript(range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    /// The pieces of a range between the separators, empty ones too.
    func pieces(of range: Range<Int>, at separator: Unicode.Scalar) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where scalars[index] == separator {
            pieces.append(start..<index)
            start = index + 1
        }
        return pieces + [start..<range.upperBound]
    }

    /// The index of the first separator.
    func index(of separator: Unicode.Scalar, in range: Range<Int>) -> Int? {
        range.first { scalars[$0] == separator }
    }

    /// The index of the first two dots in a row.
    func dots(in range: Range<Int>) -> Int? {
        range.dropLast().first { scalars[$0] == "." && scalars[$0 + 1] == "." }
    }

    /// The number, if the range has only digits and at most nine.
    func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 9, range.allSatisfy({ ("0"..."9").contains(scalars[$0]) }) else {
            return nil
        }
        return Int(self[range])
    }

    func isLetter(_ index: Int) -> Bool {
        ("a"..."z").contains(scalars[index]) || ("A"..."Z").contains(scalars[index])
    }

    /// Whether the first word begins like a minute, and no word looks like a time of day or a date; with five words or more a
    /// time of day is allowed.
    var isCron: Bool {
        guard let first, scalars[first.lowerBound] == "*" || ("0"..."9").contains(scalars[first.lowerBound])
        else { return false }
        if words.allSatisfy({ index(of: ":", in: $0) == nil }) {
            // `12-24` alone is a date.
            return words.count > 1 || index(of: "-", in: first) == nil
        }
        return words.count >= 5
    }
}
