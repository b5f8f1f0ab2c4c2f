public import Foundation
public import LullModel

/// The answer to an order that was carried out: a sentence for people, and what the order made.
public struct OrderAnswer: Sendable, Equatable, Codable {
    public var sentence: String
    /// True: nothing was done, for all was so before; else nil.
    public var wasSo: Bool?
    public var request: RequestID?
    public var run: RunID?

    public init(
        _ sentence: String, wasSo: Bool = false, request: RequestID? = nil, run: RunID? = nil
    ) {
        (self.sentence, self.wasSo) = (sentence, wasSo ? true : nil)
        (self.request, self.run) = (request, run)
    }
}

/// The result of an order, as commands and page give it to programs.
public struct DoneJSON: Encodable, Sendable {
    /// Whether anything was done; false: all was so before.
    let done: Bool
    let message: String
    let request: RequestID?
    let run: RunID?
    let until: String?

    /// `until`: a time in RFC 3339; `message`: the sentence in the caller's words.
    public init(_ said: OrderAnswer, until: String? = nil, message: String? = nil) {
        done = said.wasSo != true
        self.message = message ?? said.sentence
        (request, run) = (said.request, said.run)
        self.until = until
    }
}

/// Why nothing was done or answered, as commands and page give it to programs.
public struct ErrorJSON: Encodable, Sendable {
    struct Content: Encodable, Sendable {
        let message: String
        let remedy: String?
        let exitCode: Int32?
        let status: Int?
    }

    let error: Content

    /// From a sentence and, on the lines below it, its remedy. `exitCode`: a command's; `status`: of HTTP.
    public init(_ sentence: String, exitCode: Int32? = nil, status: Int? = nil) {
        let lines = sentence.split(separator: "\n", maxSplits: 1).map(String.init)
        error = Content(
            message: lines.first ?? sentence, remedy: lines.count > 1 ? lines[1] : nil, exitCode: exitCode,
            status: status)
    }
}

/// How a run ended.
public struct EndedRun: Sendable, Equatable, Codable {
    public var run: RunID
    public var outcome: Outcome
    public var reason: String?
    /// Nil where only the history has it.
    public var printed: PrintedByRun?
    /// The exit code of the program that the run stood for, as a shell has it; nil: none is known.
    public var exitCode: UInt8?

    public init(
        _ run: RunID, _ outcome: Outcome, reason: String?, printed: PrintedByRun? = nil,
        exitCode: UInt8? = nil
    ) {
        (self.run, self.outcome, self.reason) = (run, outcome, reason)
        (self.printed, self.exitCode) = (printed, exitCode)
    }
}

/// A run that an operator has launched.
public struct BegunRun: Sendable, Equatable, Codable {
    public var run: RunID
    /// A sentence on the task's own next time.
    public var next: String?

    public init(_ run: RunID, next: String? = nil) { (self.run, self.next) = (run, next) }
}

/// The output of a run from some position on.
public struct PrintedPart: Sendable, Equatable, Codable {
    /// Bytes without a gap; bytes between two pieces may not be kept.
    public struct Piece: Sendable, Equatable, Codable {
        /// Where it begins in all that the run has printed, in bytes.
        public var start: Int
        /// "out", "err" or "log".
        public var stream: String
        public var isShared: Bool
        public var bytes: Data
    }

    public var pieces: [Piece] = []
    /// All that the run has printed until now, in bytes.
    public var total: Int
    /// The run has ended, and the history has all that is kept of it.
    public var isOver = false

    public init(total: Int = 0, isOver: Bool = false) { (self.total, self.isOver) = (total, isOver) }

    public mutating func add(
        _ bytes: ArraySlice<UInt8>, stream: String, at start: Int, isShared: Bool
    ) {
        if let last = pieces.last, last.start + last.bytes.count == start, last.stream == stream,
            last.isShared == isShared
        {
            pieces[pieces.count - 1].bytes += bytes
        } else {
            pieces.append(Piece(start: start, stream: stream, isShared: isShared, bytes: Data(bytes)))
        }
    }
}

/// How many events of an import were new to the history, and how many not.
public struct ImportedEvents: Sendable, Equatable, Codable {
    public var added: Int
    public var known: Int
    public init(added: Int, known: Int) { (self.added, self.known) = (added, known) }
}

/// The names of a host's apps and tasks.
public struct TakenNames: Sendable, Equatable, Codable {
    public var tasks: [TaskIdentifier]
    public var apps: [AppIdentifier]
    public init(tasks: [TaskIdentifier], apps: [AppIdentifier]) { (self.tasks, self.apps) = (tasks, apps) }
}
