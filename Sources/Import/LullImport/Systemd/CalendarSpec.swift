/// `OnCalendar=` by systemd's own grammar, which is stricter than that of `at`: it decides whether a timer takes the value.
///
/// Compared with `systemd-analyze calendar` of systemd 252; later ones take no less.
struct CalendarSpec {
    /// A number, `a..b`, either with a step; a number with a step goes on to the end.
    private struct Component: Equatable {
        var start: Int
        var stop: Int?
        var step: Int?

        /// Removes a step that has no effect, and ends a span at its last number.
        mutating func normalise() {
            if let end = stop, end > start, let step { stop = end - (end - start) % step }
            if stop == start { (stop, step) = (nil, nil) }
        }

        var order: [Int] { [start, stop ?? -1, step ?? 0] }

        func isValid(in range: ClosedRange<Int>, fromEnd: Bool) -> Bool {
            let (low, high) = (range.lowerBound, range.upperBound)
            guard range.contains(start), (step ?? 0) <= high - low else { return false }
            if let stop { return range.contains(stop) && start + (step ?? 0) <= stop }
            return fromEnd ? start - (step ?? 0) >= low : start + (step ?? 0) <= high
        }

        func text(_ width: Int) -> String {
            func padded(_ number: Int) -> String {
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            let end = stop.map { ".." + padded($0) } ?? ""
            return padded(start) + end + (step.map { stop != nil && $0 == 1 ? "" : "/\($0)" } ?? "")
        }
    }

    /// Nil: every value.
    private typealias Chain = [Component]?

    private var weekdays: Set<Int> = []
    private var year: Chain = nil
    private var month: Chain = nil
    private var day: Chain = nil
    private var fromEnd = false
    private var (hour, minute): (Chain, Chain) = ([Component(start: 0)], [Component(start: 0)])
    /// The text behind the minutes, if it is more than `00`.
    private var seconds = ""
    private var rest: Substring

    /// Nil: systemd refuses it. `value`: without a zone.
    init?(_ value: String) {
        rest = value[...]
        guard !value.isEmpty, readWeekdays(), readDays(), readTime(), rest.isEmpty else { return nil }
        let chains: [(WritableKeyPath<Self, Chain>, ClosedRange<Int>)] = [
            (\.year, 1970...2199), (\.month, 1...12), (\.day, fromEnd ? 1...28 : 1...31), (\.hour, 0...23),
            (\.minute, 0...59),
        ]
        for (path, range) in chains {
            guard var chain = self[keyPath: path] else { continue }
            for index in chain.indices { chain[index].normalise() }
            chain.sort { $0.order.lexicographicallyPrecedes($1.order) }
            chain = chain.enumerated().filter { $0 == 0 || chain[$0 - 1] != $1 }.map(\.element)
            for (index, component) in chain.enumerated() {
                // For days from the end systemd takes off three more for each component before this one.
                let fromEnd = fromEnd && path == \.day
                let high = fromEnd ? range.upperBound - 3 * index : range.upperBound
                guard high >= range.lowerBound,
                    component.isValid(in: range.lowerBound...high, fromEnd: fromEnd)
                else { return nil }
            }
            self[keyPath: path] = chain
        }
    }

    /// The text for `at`, which refuses years and seconds by itself.
    var text: String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let days = names.indices.filter { weekdays.contains($0) }.map { names[$0] }.joined(separator: ",")
        func text(_ chain: Chain, _ width: Int) -> String {
            chain.map { $0.map { $0.text(width) }.joined(separator: ",") } ?? "*"
        }
        let date = text(year, 4) + "-" + text(month, 2) + (fromEnd ? "~" : "-") + text(day, 2)
        let time = text(hour, 2) + ":" + text(minute, 2) + (seconds.isEmpty ? "" : ":" + seconds)
        return (days.isEmpty ? [] : [days]).joined() + (days.isEmpty ? "" : " ") + date + " " + time
    }

    private static let days = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    private mutating func weekday() -> Int? {
        let word = rest.prefix { $0.isLetter }.lowercased()
        guard let day = Self.days.firstIndex(where: { $0 == word || $0.prefix(3) == word }) else {
            return nil
        }
        rest = rest.dropFirst(word.count)
        return day
    }

    /// `Mon`, `Sat,Sun`, `Mon..Fri`, `Mon-Fri`; a range that passes Sunday is refused.
    private mutating func readWeekdays() -> Bool {
        guard rest.first?.isLetter == true else { return true }
        while true {
            guard let first = weekday() else { return false }
            var last = first
            if rest.hasPrefix("..") || rest.hasPrefix("-") {
                rest = rest.dropFirst(rest.first == "." ? 2 : 1)
                guard let end = weekday(), end >= first else { return false }
                last = end
            }
            weekdays.formUnion(first...last)
            if rest.first == "," {
                rest = rest.dropFirst()
                if !rest.isEmpty, rest.first != " " { continue }
            }
            guard rest.isEmpty || rest.first == " " else { return false }
            rest = rest.drop { $0 == " " }
            return true
        }
    }

    private mutating func readDays() -> Bool {
        let begin = rest
        if rest.isEmpty { return true }
        guard let first = chain() else { return false }
        if rest.isEmpty || rest.first == ":" {
            rest = begin
            return true
        }
        guard separator(), let second = chain() else { return false }
        if rest.isEmpty || rest.first == " " {
            (month, day) = (first, second)
        } else {
            guard !fromEnd, separator(), let third = chain(), rest.isEmpty || rest.first == " " else {
                return false
            }
            (year, month, day) = (first, second, third)
            // `26` is 2026, and `89` is 1989.
            year = year?.map { component in
                func whole(_ year: Int) -> Int { year < 70 ? year + 2000 : year < 100 ? year + 1900 : year }
                return Component(
                    start: whole(component.start), stop: component.stop.map(whole), step: component.step)
            }
        }
        rest = rest.drop { $0 == " " }
        // If every day is meant, the end of the month says nothing.
        fromEnd = fromEnd && day != nil
        return true
    }

    /// A `-`, or the `~` before a day that is counted from the end.
    private mutating func separator() -> Bool {
        fromEnd = rest.first == "~"
        guard fromEnd || rest.first == "-" else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func readTime() -> Bool {
        if rest.isEmpty { return true }
        guard let hours = chain(), rest.first == ":" else { return false }
        rest = rest.dropFirst()
        guard let minutes = chain() else { return false }
        (hour, minute) = (hours, minutes)
        guard rest.first == ":" else { return true }
        let text = rest.dropFirst()
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber || ".,/*".contains($0) }) else {
            return false
        }
        seconds = Int(text) == 0 ? "" : String(text)
        rest = ""
        return true
    }

    /// The outer nil: there is none; the inner: a `*`.
    private mutating func chain() -> Chain? {
        if rest.first == "*" {
            rest = rest.dropFirst()
            return .some(nil)
        }
        var components: [Component] = []
        while true {
            guard let start = number() else { return nil }
            var component = Component(start: start)
            if rest.hasPrefix("..") {
                rest = rest.dropFirst(2)
                guard let stop = number() else { return nil }
                (component.stop, component.step) = (stop, 1)
            }
            if rest.first == "/" {
                rest = rest.dropFirst()
                guard let step = number(), step > 0 else { return nil }
                component.step = step
            }
            components.append(component)
            guard rest.first == "," else { return components }
            rest = rest.dropFirst()
        }
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest[digits.endIndex...]
        return digits.count > 9 ? nil : Int(digits)
    }
}
