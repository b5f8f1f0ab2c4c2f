private import Glibc
public import LullModel
public import LullSystem

/// Delivers notices to their sinks, on the loop and without blocking; each result is reported when it is known.
public final class Post {
    private let loop: EventLoop
    private let sendmail: String?
    private let journal: String
    private let desktop: [String]
    private let limit: Duration
    private var children: [UInt64: NoticeChild] = [:]
    /// The results that are still to be reported.
    private var ends: [UInt64: (trouble: String?, done: (String?) -> Void)] = [:]
    private var channel: LoopChannel<UInt64>?
    private var next: UInt64 = 0

    /// `sendmail`, `journal`: other than this machine's, for tests. `desktop`: the program, with its arguments, that shows
    /// on the desktop what it reads; empty: nothing is shown there.
    public init(
        loop: EventLoop, sendmail: String? = nil, journal: String? = nil, desktop: [String] = [],
        limit: Duration? = nil
    ) throws(LoopError) {
        self.loop = loop
        self.desktop = desktop
        self.limit = limit ?? NoticeProgram.limit
        self.sendmail =
            sendmail ?? NoticeProgram.sendmail.first { access($0, X_OK) == 0 }
        self.journal = journal ?? JournalSocket.path
        channel = try LoopChannel(on: loop) { [unowned self] numbers in
            for number in numbers {
                children[number] = nil
                if let end = ends.removeValue(forKey: number) { end.done(end.trouble) }
            }
        }
    }

    /// Whether no delivery is under way.
    public var isQuiet: Bool { children.isEmpty && ends.isEmpty }

    /// `done` gets the reason why the sink has not taken it, or nil; once, and never before this returns.
    public func send(
        _ message: NoticeMessage, to target: NoticeSink.Target, done: @escaping (String?) -> Void
    ) {
        if case .journal = target {
            return end(number(), write(message), done)
        }
        if case .mail = target, sendmail == nil {
            return end(
                number(), "there is no sendmail (\(NoticeProgram.sendmail[0])): install a mail transport",
                done)
        }
        if case .desktop = target, desktop.isEmpty {
            return end(number(), "this program can't show notices on a desktop", done)
        }
        guard
            let program = NoticeProgram(
                message, to: target, sendmail: sendmail ?? "", desktop: desktop)
        else { return }
        run(program, hiding: SecretWords(of: target), done)
    }

    /// A sign of life; `json`: posted with it.
    public func ping(
        _ url: String, json: String?, headers: [String], done: @escaping (String?) -> Void
    ) {
        let program = NoticeProgram(posting: json, to: url, headers: headers, tries: 3)
        run(program, hiding: SecretWords(of: .webhook(url)), done)
    }

    /// Why the journal has not taken it; nil: it has.
    private func write(_ message: NoticeMessage) -> String? {
        guard let socket = JournalSocket(path: journal) else { return "no socket can be made to \(journal)" }
        guard let code = socket.send(message.journalFields) else { return nil }
        let how =
            code == EMSGSIZE || code == EAGAIN || code == ENOBUFS
            ? "the journal does not accept it" : "there is no journal at \(journal)"
        return how + ": " + String(cString: strerror(code))
    }

    private func run(
        _ program: NoticeProgram, hiding secret: SecretWords, _ done: @escaping (String?) -> Void
    ) {
        let number = number()
        do throws(NoticeChild.Refusal) {
            children[number] = try NoticeChild(program, on: loop, limit: limit) { [unowned self] trouble in
                end(number, trouble.map(secret.hidden), done)
            }
        } catch {
            end(number, secret.hidden(error.sentence), done)
        }
    }

    private func number() -> UInt64 {
        next += 1
        return next
    }

    /// In a later round of the loop: the calls that led here have returned by then.
    private func end(_ number: UInt64, _ trouble: String?, _ done: @escaping (String?) -> Void) {
        ends[number] = (trouble, done)
        channel?.send(number)
    }

    /// Why a sink can't work on this machine; nil: nothing is known against it.
    public static func obstacle(to target: NoticeSink.Target) -> String? {
        switch target {
        case .journal:
            return access(JournalSocket.path, W_OK) == 0
                ? nil : "there is no journal here (\(JournalSocket.path))"
        case .desktop:
            let isThere =
                getenv("DBUS_SESSION_BUS_ADDRESS") != nil || access("/run/user/\(getuid())/bus", F_OK) == 0
            return isThere ? nil : "there is no session of user \(getuid()) with a bus"
        case .mail:
            let isThere = NoticeProgram.sendmail.contains { access($0, X_OK) == 0 }
            return isThere
                ? nil
                : "there is no \(NoticeProgram.sendmail[0]): install a mail transport, such as postfix or msmtp-mta"
        case .webhook:
            return isInPath(NoticeProgram.curl) ? nil : "there is no curl to post it: install curl"
        case .command(let words):
            let program = words.first ?? ""
            if program.contains("/") {
                return access(program, X_OK) == 0 ? nil : "\(program) can't be executed"
            }
            return isInPath(program) ? nil : "there is no \(program) in PATH"
        }
    }

    private static func isInPath(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}

/// Words that a sentence about a sink must not contain.
struct SecretWords {
    private let words: [String]

    init(of target: NoticeSink.Target) {
        guard case .webhook(let url) = target else {
            words = []
            return
        }
        let host = SecretURL.host(of: url)
        let path = url.firstRange(of: host).map { String(url[$0.upperBound...]) } ?? ""
        words = ([url, path] + path.split { "/?&=#".contains($0) }.map(String.init)).filter { $0.count > 5 }
    }

    func hidden(_ sentence: String) -> String {
        words.reduce(sentence) { $0.replacing($1, with: "…") }
    }
}
