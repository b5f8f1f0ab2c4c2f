import Glibc
import LullModel
import LullSystem
import LullWorkers

/// Runs work that may hang on threads beside the loop, which goes on; the result arrives on the loop.
///
/// A call into the machine's name service, or to a disk that is behind a network, can't be cancelled. At its time limit
/// the caller gets nil, the thread is left alone, and its late result is discarded. At most `most` threads run at once:
/// further work waits for a free one, within its own limit.
final class BlockingExecutor {
    private struct Answer: Sendable {
        let number: UInt64
        let value: any Sendable
    }

    private struct Open {
        var due: MonotonicTime
        /// Nil: a thread is doing it.
        var work: (@Sendable () -> any Sendable)?
        let answered: ((any Sendable)?) -> Void
    }

    private let most: Int
    private var channel: LoopChannel<Answer>?
    private var timer: LoopTimer?
    private var open: [UInt64: Open] = [:]
    private var count: UInt64 = 0
    private(set) var threads = 0
    /// Why the last thread that was wanted could not be made; nil: it could.
    private(set) var shortage: String?

    init(on loop: EventLoop, most: Int = 32) throws(LoopError) {
        self.most = most
        channel = try LoopChannel(on: loop) { [unowned self] answers in
            for answer in answers { arrived(answer) }
        }
        timer = try LoopTimer(on: loop) { [unowned self] in ring() }
    }

    /// Calls `answered` on the loop, once: with what `work` found, or with nil when it took longer than `limit`, or no thread
    /// could be made for it.
    func run<Found: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () -> Found,
        then answered: @escaping (Found?) -> Void
    ) {
        count += 1
        open[count] = Open(
            due: Clock.monotonic + limit, work: { work() }, answered: { answered($0 as? Found) })
        sendOut()
        arm()
    }

    private func sendOut() {
        for number in open.keys.sorted() {
            guard threads < most, let channel else { return }
            guard let work = open[number]?.work else { continue }
            open[number]?.work = nil
            guard OwnThread.begin({ channel.send(Answer(number: number, value: work())) }) == 0 else {
                shortage = ProcessShortage.sentence
                open[number]?.due = Clock.monotonic
                continue
            }
            shortage = nil
            threads += 1
        }
    }

    private func arrived(_ answer: Answer) {
        threads -= 1
        let open = open.removeValue(forKey: answer.number)
        sendOut()
        arm()
        open?.answered(answer.value)
    }

    private func ring() {
        let now = Clock.monotonic
        for number in open.filter({ $0.value.due <= now }).keys.sorted() {
            open.removeValue(forKey: number)?.answered(nil)
        }
        arm()
    }

    private func arm() { timer?.arm(open.values.map(\.due).min()) }
}
