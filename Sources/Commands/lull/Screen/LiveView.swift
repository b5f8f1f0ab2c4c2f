import LullCommands
import LullControl
import LullModel

/// What a live view shows and does: a value that hears of what it is about and of keys, and a pure function to lines.
///
/// No terminal, no clock and no host in it, so that a test drives it as a person would.
protocol LiveView {
    associatedtype News: LiveNews
    associatedtype Question: Equatable & Sendable
    mutating func hear(_ news: News)
    /// What the key asks for beyond the view itself.
    mutating func press(_ key: KeyPress) -> [LiveAction<Question>]
    /// At most `size.rows` lines, none wider than `size.columns`.
    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String]
    /// What to ask each time something has changed, and at each tick.
    var questions: [Question] { get }
    /// For how long what is shown holds, if there is no news.
    var tick: Duration { get }
}

enum LiveAction<Question: Equatable>: Equatable {
    case quit
    case ask(Question)
}

protocol LiveNews: Sendable {
    /// Whether more is to be asked for because of it.
    var isChange: Bool { get }
}

/// Where a live view's news come from. It waits on threads of its own, for as long as the program lives.
protocol LiveSource<Question>: Sendable {
    associatedtype Question: Sendable
    func start()
    /// Asks in the background; the answer is news.
    func ask(_ question: Question)
}

/// What a live view asks of the host beside its status.
enum LiveQuestion: Equatable, Sendable {
    case loads
    case why(TaskIdentifier)
    case launch(TaskIdentifier)
    case stop(TaskIdentifier)
}
