import Glibc
import LullHistory
import LullLoop
import LullModel
import LullNotices
import LullScheduler

/// Telling people what the scheduler decided to tell them.
extension Host {
    /// Without a journal, what was meant for it stands in the host's own log.
    func deliver(_ delivery: Delivery) {
        let notice = delivery.notice
        let message = NoticeMessage(notice, host: Self.name, output: output(for: notice))
        guard let post else {
            return handle(.delivered(notice.id, trouble: "the host can't start programs for it"))
        }
        post.send(message, to: delivery.target) { [unowned self] trouble in
            if trouble != nil, case .journal = delivery.target {
                logger.warning("\(notice.subject): \(notice.reason)")
                return handle(.delivered(notice.id, trouble: nil))
            }
            if let trouble { logger.warning("\(notice.sink) was not told of \(notice.subject): \(trouble)") }
            handle(.delivered(notice.id, trouble: trouble))
        }
    }

    /// What the run printed, as far as it is durable: it was written with the run's end.
    private func output(for notice: Notice) -> String? {
        guard notice.kind == .failed || notice.kind == .output, notice.covers == nil, let run = notice.run
        else { return nil }
        return try? history.output(of: run)?.text
    }

    /// As `hostname` says it.
    public static var name: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
