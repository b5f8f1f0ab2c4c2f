import Foundation
import LullControl
import LullLoop
import LullModel

/// What a live view hears of the host.
enum HostNews: Sendable {
    case status(StatusReport)
    case loads([WorkerLoad], at: MonotonicTime)
    case why(Verdict, Outlook)
    /// What came of something that was asked for, as a sentence.
    case told(String)
    /// There is none, or none any more; the sentence says which.
    case gone(String)
}

/// Hears of each change of the running host, on a thread of its own, for as long as the program lives; waits for a host to
/// come back when it has gone.
final class HostListener: Sendable {
    private let folder: String
    private let channel: LoopChannel<HostNews>
    private let commands = DispatchQueue(label: "lull.commands")
    /// Many changes in a moment are drawn as one: nobody reads faster.
    private static let settling: Int32 = 150
    private static let patience: Int32 = 1000

    init(folder: String, channel: LoopChannel<HostNews>) {
        self.folder = folder
        self.channel = channel
    }

    func start() {
        Thread.detachNewThread { [self] in
            while true {
                do throws(ControlError) {
                    try listen()
                } catch {
                    channel.send(.gone(error.message))
                }
                poll(nil, 0, Self.patience)
            }
        }
    }

    private func listen() throws(ControlError) {
        let client = try ControlClient(stateFolder: folder)
        var seen: UInt64 = 0
        while true {
            switch try client.ask(.changes(since: seen)) {
            case .changed(let number): seen = number
            case .refused(let sentence): throw .notUnderstood(sentence)
            default: throw .notUnderstood("another answer than the one it was asked for")
            }
            if case .status(let report) = try client.ask(.status) { channel.send(.status(report)) }
            poll(nil, 0, Self.settling)
        }
    }

    /// Asks in the background; the answer is news.
    func ask(_ request: ControlRequest) {
        commands.async { [self] in
            do throws(ControlError) {
                let client = try ControlClient(stateFolder: folder)
                switch (request, try client.ask(request)) {
                case (.why(let task), .verdict(let verdict)):
                    if case .outlook(let outlook) = try client.ask(.outlook(task, by: nil)) {
                        channel.send(.why(verdict, outlook))
                    }
                case (_, .loads(let loads)): channel.send(.loads(loads, at: Clock.monotonic))
                case (.launch(let task, _), .launched(let run, let next)):
                    channel.send(.told("\(task) was launched as run \(run)." + (next.map { " " + $0 } ?? "")))
                case (_, .done(let sentence)), (_, .refused(let sentence)): channel.send(.told(sentence))
                default: break
                }
            } catch {
                channel.send(.told(error.message))
            }
        }
    }
}
