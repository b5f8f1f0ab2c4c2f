import LullControl
import LullModel

/// What a live view shows and does: a value that hears of the host and of keys, and a pure function to lines.
///
/// No terminal, no clock and no host in it, so that a test drives it as a person would.
protocol LiveView {
    mutating func hear(_ news: HostNews)
    /// What the key asks for beyond the view itself.
    mutating func press(_ key: KeyPress) -> [LiveAction]
    /// At most `size.rows` lines, none wider than `size.columns`.
    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String]
    /// What to ask of the host each time something has changed, and at each tick.
    var questions: [LiveQuestion] { get }
    /// For how long what is shown holds, if the host says nothing.
    var tick: Duration { get }
}

enum LiveAction: Equatable {
    case quit
    case ask(LiveQuestion)
}

/// What a live view asks of the host beside its status.
enum LiveQuestion: Equatable, Sendable {
    case loads
    case why(TaskIdentifier)
    case launch(TaskIdentifier)
    case expire(TaskIdentifier)
}
