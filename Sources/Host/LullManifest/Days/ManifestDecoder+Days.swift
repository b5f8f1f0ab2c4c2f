import LullCalendar
import LullModel

/// `except`, `only`, `from` and `until`.
extension ManifestDecoder {
    static let calendarMark = "calendar:"

    /// Nil if one of them is wrong: nothing is concluded from the others.
    mutating func dayList(_ entry: Entry) -> DayList? {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return nil }
        var (texts, whole, isWhole) = ([String](), DayText.Days(), true)
        for item in items {
            guard document.isScalar(item) else {
                add(
                    .value(.wrongType(entry.key, expected: .text, found: found(item), remedies: [])), at: item
                )
                isWhole = false
                continue
            }
            let text = document.text(item)
            guard
                let found = text.hasPrefix(Self.calendarMark)
                    ? calendar(text, at: item) : days(text, at: item)
            else {
                isWhole = false
                continue
            }
            texts.append(text)
            whole.once += found.once
            whole.again += found.again
        }
        return isWhole ? DayList(texts: texts, once: whole.once, again: whole.again) : nil
    }

    private mutating func days(_ text: String, at node: NodeID) -> DayText.Days? {
        switch DayText.parse(text) {
        case .success(let days): return days
        case .failure(let fault):
            add(.value(.day(text, fault)), at: node)
            return nil
        }
    }

    /// The days of a file; its own problems are reported with its own lines.
    private mutating func calendar(_ text: String, at node: NodeID) -> DayText.Days? {
        let name = text.dropFirst(Self.calendarMark.count).trimmed
        guard !name.isEmpty, !name.utf8.contains(0) else {
            add(.calendar(.file(name, .missing(other: nil))), at: node)
            return nil
        }
        let folder = Path.folder(of: file)
        let read = calendars.read(name, at: folder == "." ? name : Path.join(folder, name), fileSystem)
        if let failure = read.failure { add(.calendar(failure), at: node) }
        return read.failure == nil && !read.problems.hasErrors ? read.days : nil
    }

    /// The day of `from` or `until`.
    mutating func day(_ entry: Entry) -> Int? {
        guard let text = text(entry) else { return nil }
        switch DayText.day(text) {
        case .success(let day): return day
        case .failure(let fault):
            add(.value(.day(text, fault)), at: entry.value)
            return nil
        }
    }

    mutating func check(daysOf draft: TaskDraft) {
        guard let days = draft.openDays, let node = draft.daysNode ?? draft.atNode ?? draft.kindNode else {
            return
        }
        if let from = days.from, let until = days.until, from > until {
            return add(
                .value(.daysOutOfOrder(from: Phrase.date(ofDay: from), until: Phrase.date(ofDay: until))),
                at: node)
        }
        if let times = draft.at, !times.isAtBoot {
            if !days.holdsSome(of: times) { add(.rhythm(.timesOnClosedDays), at: node) }
        } else if !days.hasOpenDay {
            add(.rhythm(.noOpenDay), at: node)
        }
    }
}

extension TaskDraft {
    var openDays: OpenDays? {
        OpenDays(only: inherited.only, except: inherited.except, from: inherited.from, until: inherited.until)
    }
}
