import Foundation
import LullControl
import LullModel
import LullSystem

/// The news of the host for a live view.
enum HostNews: LiveNews {
    case status(StatusReport)
    case loads([WorkerLoad], at: MonotonicTime)
    case why(Explanation)
    /// The result of an order, as a sentence.
    case told(String)
    /// No host runs, or it has gone; the sentence says which.
    case gone(String)

    var isChange: Bool {
        if case .status = self { true } else { false }
    }
}

/// Gets each change of the running host, on a thread of its own, for as long as the program lives; waits for a host that
/// has gone to come back.
final class HostListener: LiveSource {
    private let folder: String
    private let channel: LoopChannel<HostNews>
    private let commands = DispatchQueue(label: "lull.commands")
    /// Many changes in a moment are drawn as one: nobody reads faster.
    private static let settling: Int32 = 150
    private static let timeout: Int32 = 1000

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
                poll(nil, 0, Self.timeout)
            }
        }
    }

    private func listen() throws(ControlError) {
        let client = try ControlClient(stateFolder: folder)
        var seen: UInt64 = 0
        while true {
            seen = try client.ask(Ask.Changes(since: seen))
            channel.send(.status(try client.ask(Ask.Status())))
            poll(nil, 0, Self.settling)
        }
    }

    func ask(_ question: LiveQuestion) {
        commands.async { [self] in
            do throws(ControlError) {
                let client = try ControlClient(stateFolder: folder)
                switch question {
                case .loads: channel.send(.loads(try client.ask(Ask.Loads()), at: Clock.monotonic))
                case .why(let task): channel.send(.why(try client.ask(Ask.Why(task))))
                case .launch(let task): channel.send(.told(try client.ask(Ask.Launch(task)).sentence))
                case .stop(let task): channel.send(.told(try client.ask(Ask.Expire(task)).sentence))
                }
            } catch {
                channel.send(.told(error.message))
            }
        }
    }
}
