public import LullModel

/// A transfer in a few words, for the command line and the page.
public struct TransferLine: Sendable {
    public let report: TransferReport
    /// Formats a moment for the reader of the line: "at 10:41".
    private let when: @Sendable (WallTime) -> String

    public init(_ report: TransferReport, when: @escaping @Sendable (WallTime) -> String) {
        (self.report, self.when) = (report, when)
    }

    private var transfer: TransferState { report.state }

    /// "runs", "waits", "paused".
    public var state: String {
        switch transfer.phase {
        case .waiting: "waits"
        case .active: "runs"
        case .challenged: "asks"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// "1.2 GiB of 3.2 GiB": the bytes that an upload has sent or a download has received.
    public var amount: String {
        let isUpload = transfer.order.direction == .upload
        let progress = transfer.progress
        let done =
            transfer.result.map { isUpload ? $0.sent : $0.received }
            ?? (isUpload ? progress.sent : progress.received)
        let all =
            isUpload
            ? progress.toSend ?? transfer.order.expectedToSend
            : progress.toReceive ?? transfer.order.expectedToReceive
        guard transfer.phase != .finished, let all, all >= done, all > 0 else { return Phrase.size(done) }
        return "\(Phrase.size(done)) of \(Phrase.size(all))"
    }

    /// "12 MiB/s"; nil: nothing moves.
    public var rate: String? { report.rate.map { Phrase.size(Int64($0.clamped(to: 0...1e15))) + "/s" } }

    /// `█████░░░░░`; nil: the total is not known.
    public func bar(of width: Int) -> String? {
        guard let share = transfer.share else { return nil }
        let full = min(Int(share * Double(width)), width)
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    }

    /// "38 %"; nil: the total is not known.
    public var percent: String? { transfer.share.map { "\(Int($0 * 100)) %" } }

    /// "a download of https://example.com/a.iso".
    public var deed: String { transfer.order.deed }

    /// The reasons why it is not under way, or how it ended: sentences without a full stop; empty: none.
    public var reasons: [String] {
        var reasons: [String] = []
        if let result = transfer.result { reasons.append(result.words) }
        if let failure = transfer.failure {
            reasons.append("\(failure.sentence.withoutFullStop) (\(failure.code))")
        }
        reasons += report.reasons.map(\.withoutFullStop)
        // Many reasons name the time already.
        if transfer.phase == .waiting, let time = report.until.map(when),
            !reasons.contains(where: { $0.contains(time) })
        {
            reasons.append("next \(time)")
        }
        return reasons
    }

    /// "likely done at 10:41"; nil: not known.
    public var outlook: String? { report.likelyDone.map { "likely done \(when($0))" } }
}

extension [TransferReport] {
    /// "5 transfers: 2 run at 12 MiB/s, 3 wait."
    public var summary: String {
        func count(_ phases: TransferState.Phase...) -> Int {
            self.count { phases.contains($0.state.phase) }
        }
        let rate = compactMap(\.rate).reduce(0, +)
        let speed = rate > 0 ? " at \(Phrase.size(Int64(rate.clamped(to: 0...1e15))))/s" : ""
        func part(_ number: Int, _ one: String, _ many: String, _ more: String = "") -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? one : many)\(more)"
        }
        let parts = [
            part(count(.active), "runs", "run", speed), part(count(.waiting), "waits", "wait"),
            part(count(.challenged), "asks its app", "ask their apps"),
            part(count(.paused), "is paused", "are paused"),
            part(count(.finished, .failed, .cancelled), "is over", "are over"),
        ]
        return Phrase.count(self.count, "transfer") + ": "
            + parts.compactMap(\.self).joined(separator: ", ") + "."
    }
}
