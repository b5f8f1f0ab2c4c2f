import CLullCurl
import Glibc
import LullModel
import LullSystem
import LullTransfers

/// All attempts of this process: they begin, are counted for the rates, wait for locks, and end with news.
final class Engine {
    let loop: EventLoop
    let multi: CurlMulti
    var folders: [String: TransferFolder] = [:]
    var say: ([UInt8]) -> Void = { _ in }
    var isCongested: () -> Bool = { false }
    private var attempts: [TransferID: Attempt] = [:]
    private var byHandle: [CurlHandle: Attempt] = [:]
    /// Attempts that were stopped while they were being finished: their results are not reported.
    private var ending: [TransferID: (attempt: Attempt, keepsPart: Bool)] = [:]
    /// The bytes that an app's folder may still take, by the newest attempt and what has come since; no entry without a limit.
    private var rooms: [String: Int64] = [:]
    private var lockTimer: LoopTimer?
    private var finished: LoopChannel<(TransferID, Finishing.Outcome)>?
    private var isHostGone = false
    private var turns = 0

    /// How often a lock that another process holds is tried.
    private static let lockTimeout: Duration = .seconds(1)

    init(on loop: EventLoop) throws(LoopError) {
        self.loop = loop
        multi = try CurlMulti(on: loop)
        lockTimer = try LoopTimer(on: loop) { [unowned self] in tryLocks() }
        finished = try LoopChannel(on: loop) { [unowned self] in
            for (id, outcome) in $0 { didFinish(id, outcome) }
        }
        multi.done = { [unowned self] in byHandle[$0]?.didComplete($1) }
    }

    /// Attempts that have begun and not ended.
    var count: Int { attempts.count }

    func report(_ report: ProcessFrame) {
        if let bytes = report.encoded() { say(bytes) }
    }

    func begin(_ start: TransferStart) {
        if let earlier = attempts.removeValue(forKey: start.id) { earlier.abandon() }
        guard let folder = folders[start.folder] else {
            let sentence = "The transfers' folder \(start.folder) can't be used."
            return report(.news(start.id, attempt: start.attempt, .interruption(sentence)))
        }
        rooms[start.folder] = start.room
        let attempt = Attempt(start, in: folder, engine: self)
        attempts[start.id] = attempt
        attempt.begin()
        armLocks()
    }

    func stop(_ id: TransferID, keepsPart: Bool) {
        guard let attempt = attempts.removeValue(forKey: id) else { return }
        if attempt.isFinishing {
            ending[id] = (attempt, keepsPart)
        } else {
            attempt.abandon()
            if !keepsPart { attempt.removeFiles() }
        }
        settle()
    }

    func remove(folder: String, stem: UInt64, upload: String?) {
        if let folder = folders[folder] { PartFile.remove(stem: stem, upload: upload, from: folder) }
        report(.removed)
    }

    /// Nothing new begins; attempts that wait for a lock are abandoned.
    func hostIsGone() {
        isHostGone = true
        for (id, attempt) in attempts where attempt.isWaitingForLock {
            attempts[id] = nil
            attempt.abandon()
        }
        settle()
    }

    /// Parts stay as they are: each can be resumed.
    func abandonAll() {
        for attempt in attempts.values { attempt.abandon() }
        attempts = [:]
    }

    func start(_ easy: CurlHandle, of attempt: Attempt) -> Bool {
        byHandle[easy] = attempt
        defer { shareRate(of: attempt.start.folder) }
        return multi.add(easy)
    }

    func halt(_ easy: CurlHandle, of attempt: Attempt) {
        guard byHandle.removeValue(forKey: easy) != nil else { return }
        multi.remove(easy)
        shareRate(of: attempt.start.folder)
    }

    func finish(_ work: Finishing) {
        guard let finished else { return }
        let fault = OwnThread.begin { finished.send((work.id, work.run())) }
        if fault != 0 { finished.send((work.id, work.run())) }
    }

    func end(_ attempt: Attempt, _ news: TransferNews) {
        attempts[attempt.start.id] = nil
        let (id, number) = (attempt.start.id, attempt.start.attempt)
        let words = "The server's answer is too long to pass on. Use another server."
        let unsayable = TransferFailure(code: TransferFailure.Code.badServerResponse, sentence: words)
        // The host would wait for ever for an end that is not reported.
        let last = ProcessFrame.news(id, attempt: number, news).encoded()
        if let last { say(last) } else { report(.news(id, attempt: number, .failed(unsayable))) }
        settle()
    }

    private func didFinish(_ id: TransferID, _ outcome: Finishing.Outcome) {
        if let attempt = attempts[id], attempt.isFinishing { return attempt.didFinish(outcome) }
        guard let (attempt, keepsPart) = ending.removeValue(forKey: id) else { return }
        attempt.abandon()
        if !keepsPart { attempt.removeFiles() }
        settle()
    }

    private func settle() {
        armLocks()
        if isHostGone, attempts.isEmpty, ending.isEmpty { loop.stop() }
    }

    private func armLocks() {
        let waits = attempts.values.contains { $0.isWaitingForLock }
        lockTimer?.arm(waits ? Clock.monotonic + Self.lockTimeout : nil)
    }

    private func tryLocks() {
        for attempt in attempts.values where attempt.isWaitingForLock { attempt.begin() }
        armLocks()
    }

    /// Bytes that an app's folder may take beside what its transfers are known to bring; nil: any number.
    func room(in folder: String) -> Int64? {
        rooms[folder].map { room in
            attempts.values.reduce(room) { $1.start.folder == folder ? $0 - $1.toCome : $0 }
        }
    }

    /// The place of a file that is begun now in the order of all.
    func nextTurn() -> Int {
        turns += 1
        return turns
    }

    /// The bytes still to come onto the same disk for files begun earlier: where not all would fit, the first ones come whole.
    func toCome(before attempt: Attempt) -> Int64 {
        attempts.values.reduce(0) { sum, other in
            guard other.folder.device == attempt.folder.device, other.turn < attempt.turn else { return sum }
            return sum + other.toCome
        }
    }

    /// Counts bytes that have come into an app's folder; below 0: bytes that were removed.
    func noteBytes(_ count: Int64, in folder: String) { rooms[folder]? -= count }

    /// Shares an app's rate among all of its transfers.
    private func shareRate(of folder: String) {
        let active = byHandle.filter { $0.value.start.folder == folder }
        for (easy, attempt) in active {
            guard let rate = attempt.start.rules.rate else { continue }
            let share = max(1, rate / Int64(active.count))
            lull_curl_set_large(easy, CURLOPT_MAX_RECV_SPEED_LARGE, share)
            lull_curl_set_large(easy, CURLOPT_MAX_SEND_SPEED_LARGE, share)
        }
    }
}
