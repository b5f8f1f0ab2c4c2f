import LullModel

/// Why a task is not launched on a day, and the edit that opens it.
extension DayClosure {
    /// "25 Dec is Christmas Day in holidays.ics".
    var clause: String {
        switch self {
        case .excepted(let day, let name?, let file?): "\(Phrase.day(day)) is \(name) in \(file)"
        case .excepted(let day, nil, let file?): "\(Phrase.day(day)) is in \(file)"
        case .excepted(let day, _, nil): "\(Phrase.day(day)) is excepted"
        case .notListed(let day): "\(Phrase.day(day)) is not a day of `only`"
        case .before(let first): "its first day is \(Phrase.date(ofDay: first))"
        case .after(let last): "its last day was \(Phrase.date(ofDay: last))"
        }
    }

    /// A phrase that "of the task at …" follows.
    var change: String {
        switch self {
        case .excepted(let day, _, let file?):
            "take \(Phrase.day(day)) out of \(file), or the calendar out of the `except`"
        case .excepted(let day, _, nil): "take \(Phrase.day(day)) out of the `except`"
        case .notListed(let day): "add \(Phrase.day(day)) to the `only`"
        case .before: "write an earlier day as the `from`"
        case .after: "write a later day as the `until`"
        }
    }
}
