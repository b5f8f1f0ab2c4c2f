/// What the launches of a refresh are planned for, at the price that its budget leads to.
public enum Objective: String, Sendable, Equatable, Codable, CaseIterable {
    /// As many uses as may be find data that is at most an hour old.
    case hits
    /// The data that uses find is as young as may be on average, counted up to a day.
    case staleness
    /// Both: young on average, and at most an hour old where that can be had.
    case both
}
