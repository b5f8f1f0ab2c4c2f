import Glibc
import LullHistory
import LullModel
import LullNotices
import LullScheduler
import LullSystem

/// Delivers the notices that the scheduler decided on.
extension Host {
    /// Without a journal, its notices go to the host's own log.
    func deliver(_ delivery: Delivery) {
        let notice = delivery.notice
        // The recipient of notices on one task may not be allowed to read another's output.
        guard notice.kind == .failed || notice.kind == .output, notice.covers == nil, let run = notice.run
        else { return deliver(delivery, output: nil) }
        // Only what is durable: it was written with the run's end.
        reads.run(within: .seconds(20)) { (history) throws(HistoryError) in
            try history.output(of: run)
        } then: { [unowned self] found in
            var output: RunOutput?
            if case .success(let read) = found {
                output = read
            } else {
                logger.warning("The output of run \(run) can't be read, so its notice does not have it.")
            }
            deliver(delivery, output: output?.ownText)
        }
    }

    private func deliver(_ delivery: Delivery, output: String?) {
        let notice = delivery.notice
        let message = NoticeMessage(notice, host: Self.name, output: output)
        guard let post else {
            return handle(.delivered(notice.id, trouble: "the host can't start programs for it"))
        }
        post.send(message, to: delivery.target) { [unowned self] trouble in
            if trouble != nil, case .journal = delivery.target {
                logger.warning("\(notice.subject): \(notice.reason)")
                return handle(.delivered(notice.id, trouble: nil))
            }
            // The history has each failure; the log has it once, until it changes.
            if let trouble, sinkTroubles[notice.sink] != trouble {
                logger.warning("\(notice.sink) could not be notified of \(notice.subject): \(trouble)")
            }
            sinkTroubles[notice.sink] = trouble
            handle(.delivered(notice.id, trouble: trouble))
        }
    }

    /// Sends a sign of life, with its subject and the time by which to expect the next one.
    func give(_ ping: Ping) {
        guard let post else {
            return handle(.pinged(ping.name, trouble: "the host can't start programs for it"))
        }
        var members: [String: JSONValue] = ["host": .string(Self.name)]
        members["app"] = ping.app.map { .string($0.text) }
        members["task"] = ping.task.map { .string($0.text) }
        members["run"] = ping.run.map { .integer(Int64(clamping: $0.number)) }
        members["outcome"] = ping.outcome.map { .string($0.rawValue) }
        members["expected_by"] = ping.expectedBy.map { .string($0.rfc3339) }
        let headers = ping.expectedBy.map { ["Lull-Expected-By: \($0.rfc3339)"] } ?? []
        post.ping(ping.url, json: JSONValue.object(members).text, headers: headers) {
            [unowned self] trouble in
            if let trouble { logger.warning("\(ping.name) did not accept the heartbeat: \(trouble)") }
            handle(.pinged(ping.name, trouble: trouble))
        }
    }

    /// The name that `hostname` prints.
    public static var name: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
