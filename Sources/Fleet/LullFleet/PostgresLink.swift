private import CLullShims
private import Glibc

/// One connection of libpq, closed with this value.
///
/// It has one owner at a time: the thread that makes it, then the loop.
final class PostgresLink: @unchecked Sendable {  // Handed over once, and never used by two threads at a time.
    private let link: OpaquePointer

    private init(_ link: OpaquePointer) { self.link = link }
    deinit { lull_pq_finish(link) }

    /// Whether libpq is there.
    static var isThere: Bool { lull_pq_load() }

    /// Begins to connect. Nil: there is no memory.
    static func start(_ options: [(name: String, value: String)]) -> PostgresLink? {
        let names = options.map { strdup($0.name) }
        let values = options.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        return lull_pq_start(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil]
        ).map(PostgresLink.init)
    }

    enum Step {
        case connected
        case wait(writes: Bool)
        case failed
    }
    func goOn() -> Step {
        switch lull_pq_go_on(link) {
        case 0: .connected
        case 1: .wait(writes: false)
        case 2: .wait(writes: true)
        default: .failed
        }
    }

    var isBroken: Bool { lull_pq_is_broken(link) }
    var socket: Int32 { lull_pq_socket(link) }
    /// The last error, as one line.
    var words: String { Self.line(String(cString: lull_pq_words(link))) }
    func option(_ name: String) -> String? {
        guard let value = lull_pq_option(link, name) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
    func neverWait() { lull_pq_never_wait(link) }

    func send(_ statement: String, _ parameter: String) -> Bool { lull_pq_send(link, statement, parameter) }
    /// Whether all is sent; nil: the connection is broken.
    func flush() -> Bool? {
        switch lull_pq_flush(link) {
        case 0: true
        case 1: false
        default: nil
        }
    }
    func takeIn() -> Bool { lull_pq_take_in(link) }
    var isBusy: Bool { lull_pq_is_busy(link) }

    enum Reply: Equatable {
        /// The first value of its first row.
        case value(String?)
        /// The SQLSTATE, and the message.
        case fault(state: String, words: String)
    }
    /// Nil: the statement is over.
    func next() -> Reply? { lull_pq_next(link).map(reply) }
    /// Runs several statements, and waits for them.
    func run(_ statements: String) -> Reply {
        lull_pq_run(link, statements).map(reply) ?? .fault(state: "", words: words)
    }

    private func reply(_ result: OpaquePointer) -> Reply {
        defer { lull_pq_clear(result) }
        guard lull_pq_is_fault(result) else {
            return .value(lull_pq_value(result).map { String(cString: $0) })
        }
        func field(_ letter: Unicode.Scalar) -> String? {
            lull_pq_fault(result, Int32(letter.value)).map { Self.line(String(cString: $0)) }
        }
        return .fault(state: field("C") ?? "", words: field("M") ?? words)
    }

    private static func line(_ text: String) -> String {
        let text = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
