/// The goal for which the launches of a refresh are planned, at the price that follows from its budget.
public enum Objective: String, Sendable, Equatable, Codable, CaseIterable {
    /// As many uses as possible find data that is at most an hour old.
    case hits
    /// The data that uses find is as young as possible on average, counted up to a day.
    case staleness
    /// Both: young on average, and at most an hour old where possible.
    case both
}
