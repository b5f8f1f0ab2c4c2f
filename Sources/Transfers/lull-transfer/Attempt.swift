import CLullCurl
import Glibc
import LullModel
import LullSystem
import LullTransfers

/// One attempt at one transfer, from the lock on its files to the news that end it.
///
/// It waits for the lock; sends requests, as redirections and challenges demand; takes the body; has it finished. All
/// that is not abandoned ends in `end`, after which nothing of it is open.
final class Attempt {
    let start: TransferStart
    let folder: TransferFolder
    unowned let engine: Engine
    var hop: Hop?
    var easy: CurlHandle?
    var list: UnsafeMutablePointer<curl_slist>?
    /// Not 0: its name has led to this machine, which it must not.
    let metNear = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    var part: PartFile?
    var upload: Upload?

    /// The head of the answer to the current request.
    var head = AnswerHead()
    var asked: AnswerPlan.Asked?
    var course: Course?
    var discarded = 0
    /// A fault on this side while libcurl is at work; it ends the attempt.
    var fault: TransferNews?

    /// A range was of no use: the whole file is requested.
    var wantsAll = false
    /// The place that now gets the app's credential, and the method.
    var credential: (place: Place, method: TransferChallenge.Method)?
    /// The place whose certificate is trusted by the app alone.
    var trustedPlace: Place?
    var total: Int64?
    var sent: Int64 = 0
    var told = TransferProgress()
    var toldAt: MonotonicTime?
    var lookedAtDisk: Int64 = 0
    /// When its file was begun, by the engine's count.
    var turn = Int.max
    private(set) var isWaitingForLock = false
    private(set) var isFinishing = false

    /// What an answer's body is for.
    enum Course {
        case file
        /// The body is of no use; the next step follows.
        case nothing(Next)
    }

    enum Next {
        case redirect
        case again
        case whole
        case credential(TransferChallenge.Method)
        case end(TransferNews)
    }

    static let progressGap: Duration = .milliseconds(250)

    init(_ start: TransferStart, in folder: TransferFolder, engine: Engine) {
        self.start = start
        self.folder = folder
        self.engine = engine
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        metNear.initialize(to: 0)
    }

    deinit {
        errorText.deallocate()
        metNear.deallocate()
    }

    /// Begins, or goes on waiting for the lock.
    func begin() {
        if let failure = start.order.fault { return end(.failed(failure)) }
        if start.answers.contains(where: { $0.answer == .cancel }) {
            return fail(
                TransferFailure.Code.cancelled,
                "The app cancelled it when the server asked for authentication.")
        }
        switch PartFile.open(in: folder, stem: start.stem) {
        case .locked(let size):
            isWaitingForLock = true
            tell(TransferProgress(received: size))
        case .failed(let code): failWriting(code)
        case .open(let part):
            isWaitingForLock = false
            self.part = part
            open(part)
        }
    }

    private func open(_ part: PartFile) {
        if let note = part.note, let size = part.doneSize {
            return end(.finished(note.result(received: size, sent: note.sent)))
        }
        // All of it has come before; only finishing it is left.
        if let note = part.note, note.total == part.size {
            let fault = part.goOn()
            return fault == 0 ? finish() : failWriting(fault)
        }
        guard let hop = Hop(start.order) else { return }
        self.hop = hop
        if start.order.direction == .upload {
            do throws(Upload.Refusal) {
                upload = try Upload.open(start.order, in: folder)
            } catch {
                return end(readFault(error.code))
            }
            guard (upload?.size ?? 0) <= start.rules.maxSize else { return end(tooLarge(upload?.size ?? 0)) }
        }
        request()
    }

    /// Sends the request of `hop`.
    func request() {
        guard let hop else { return }
        guard start.rules.permission(of: hop.place.host) != nil else {
            return fail(
                TransferFailure.Code.badURL,
                "\(hop.place.host.terminalSafe) is not among the hosts that the app may transfer with. "
                    + "Add it in jobs.yaml: `transfers: { hosts: [\(hop.place.host.terminalSafe)] }`.")
        }
        (head, asked, course, discarded, fault) = (AnswerHead(), nil, nil, 0, nil)
        guard let easy = easy ?? curl_easy_init() else { return interrupt("libcurl has no memory.") }
        self.easy = easy
        prepare(easy, hop)
        guard engine.start(easy, of: self) else { return interrupt("libcurl accepts no more transfers.") }
    }

    func finish() {
        guard let part, let note = part.note else { return }
        isFinishing = true
        close()
        var claims = note.status == 200 ? DigestClaim.all(in: note.headers) : []
        if asked != nil {
            let ofWhole = head.headers.filter { ["digest", "repr-digest"].contains($0.name.lowercased()) }
            claims += DigestClaim.all(in: ofWhole)
        }
        engine.finish(
            Finishing(
                id: start.id, part: part.descriptor, folder: folder.descriptor, stem: start.stem,
                claims: claims))
    }

    func didFinish(_ outcome: Finishing.Outcome) {
        isFinishing = false
        switch outcome {
        case .durable:
            guard let part, let note = part.note else { return }
            end(.finished(note.result(received: part.size, sent: max(sent, note.sent))))
        case .wrong(let sentence):
            _ = part?.clear()
            interrupt(sentence)
        case .failed(let code): failWriting(code)
        }
    }

    func end(_ news: TransferNews) {
        let last = progress
        close()
        if toldAt != nil, last != told {
            engine.report(.news(start.id, attempt: start.attempt, .progressed(last)))
        }
        (part, upload) = (nil, nil)
        engine.end(self, news)
    }

    func fail(_ code: Int, _ sentence: String) {
        end(.failed(TransferFailure(code: code, sentence: sentence)))
    }

    func interrupt(_ sentence: String) { end(interruption(sentence)) }

    func interruption(_ sentence: String, retryAfter: Duration? = nil) -> TransferNews {
        .interrupted(sentence: sentence, retryAfter: retryAfter, received: part?.size ?? 0)
    }

    func failWriting(_ code: Int32) { end(writeFault(code)) }

    /// Ends it without news.
    func abandon() {
        close()
        (part, upload) = (nil, nil)
        isWaitingForLock = false
    }

    func removeFiles() { PartFile.remove(stem: start.stem, upload: start.order.file, from: folder) }

    private func close() {
        guard let easy else { return }
        engine.halt(easy, of: self)
        curl_easy_cleanup(easy)
        curl_slist_free_all(list)
        (self.easy, list) = (nil, nil)
    }
}

extension PartNote {
    func result(received: Int64, sent: Int64) -> TransferResult {
        TransferResult(status: status, url: url, headers: headers, received: received, sent: sent)
    }
}
