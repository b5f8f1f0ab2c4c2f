public import LullModel

/// A client's question to a host: its word on the wire, its content, and the type of its answer.
///
/// `Ask` has all questions, and says how to add one.
public protocol Question: Sendable, Equatable, Codable {
    associatedtype Answer: Sendable, Equatable, Codable
    static var word: Ask.Word { get }
    /// Whether its answer may take any time: a run's end, or a backup.
    static var isLong: Bool { get }
    /// Whether it changes something, so that the host has to know who asks.
    static var isAct: Bool { get }
    /// Whether the group that may read may ask it.
    static var isRead: Bool { get }
    /// The handler's method that answers it.
    static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D>
}

/// Takes the answer to a question.
public typealias Respond<Q: Question> = (Result<Q.Answer, ControlRefusal>) -> Void
public typealias Route<Q: Question, D: QuestionHandler> = (Q, @escaping Respond<Q>) throws(D.Failure) -> Void

extension Question {
    public static var isLong: Bool { false }
    public static var isAct: Bool { false }
    public static var isRead: Bool { !isAct }

    /// Asks the handler, which answers now or later.
    public func put<D: QuestionHandler>(to handler: D, _ respond: @escaping Respond<Self>) throws(D.Failure) {
        try Self.route(to: handler)(self, respond)
    }
}

/// A question that changes something: its answer is a sentence on the result.
public protocol Order: Question where Answer == OrderAnswer {}

extension Order {
    public static var isAct: Bool { true }

    /// When what it orders ends by itself.
    public var end: WallTime? { (self as? Ask.Pause)?.until }
}

extension Result where Failure == ControlRefusal {
    public static func refused(_ sentence: String) -> Self { .failure(ControlRefusal(sentence)) }
}

/// Not carried out, or not answered; the sentence says why and what to do.
public struct ControlRefusal: Error, Sendable, Equatable {
    public var sentence: String
    /// After how long the same is taken, if nothing else comes; nil: waiting does not help.
    public var wait: Duration?

    public init(_ sentence: String, wait: Duration? = nil) {
        self.sentence = sentence
        self.wait = wait
    }
}

/// A question that came over the socket, and the way back to its client.
///
/// It is answered once. If it is released unanswered, it is refused: no client waits for an answer that can't come.
public struct PutQuestion {
    public let question: any Question
    /// Who acts; nil: it changes nothing, or the kernel does not say who asks.
    public let asker: Asker?
    let back: WayBack

    /// Asks the handler, and sends its answer back.
    public func put<D: QuestionHandler>(to handler: D) throws(D.Failure) { try open(question, handler) }

    private func open<Q: Question, D: QuestionHandler>(_ question: Q, _ handler: D) throws(D.Failure) {
        try question.put(to: handler) { [back] in back.answer($0) }
    }
}

/// Used on the loop's thread alone.
final class WayBack {
    private var send: (([UInt8]) -> Void)?
    private let form: ControlFrame.Form

    init(_ form: ControlFrame.Form, _ send: @escaping ([UInt8]) -> Void) {
        self.form = form
        self.send = send
    }

    deinit {
        refuse(
            "The host has lost this request, so its result is not known. `lull history --events` may show it."
        )
    }

    func refuse(_ sentence: String) { answer(Result<OrderAnswer, _>.refused(sentence)) }

    func answer<Answer: Encodable>(_ answer: Result<Answer, ControlRefusal>) {
        guard let send else { return }
        self.send = nil
        send(ControlFrame.encode(answer, as: form))
    }
}
