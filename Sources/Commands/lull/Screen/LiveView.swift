import LullCommands
import LullControl
import LullModel

/// The content and behaviour of a live view: a value that takes news and keys, and a pure function to lines.
///
/// It uses no terminal, no clock and no host, so that a test drives it as a person would.
protocol LiveView {
    associatedtype News: LiveNews
    associatedtype Question: Equatable & Sendable
    mutating func hear(_ news: News)
    /// The actions that a key asks for beyond the view itself.
    mutating func press(_ key: KeyPress) -> [LiveAction<Question>]
    /// At most `size.rows` lines, none wider than `size.columns`.
    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String]
    /// The questions to ask after each change and at each tick.
    var questions: [Question] { get }
    /// How long the lines hold if there is no news.
    var tick: Duration { get }
}

enum LiveAction<Question: Equatable>: Equatable {
    case quit
    case ask(Question)
}

protocol LiveNews: Sendable {
    /// Whether the view's questions are to be asked again because of it.
    var isChange: Bool { get }
}

/// The source of a live view's news. It waits on threads of its own, for as long as the program lives.
protocol LiveSource<Question>: Sendable {
    associatedtype Question: Sendable
    func start()
    /// Asks in the background; the answer is news.
    func ask(_ question: Question)
}

/// The questions and orders of a live view to the host, beside its status.
enum LiveQuestion: Equatable, Sendable {
    case loads
    case why(TaskIdentifier)
    case launch(TaskIdentifier)
    case stop(TaskIdentifier)
}
