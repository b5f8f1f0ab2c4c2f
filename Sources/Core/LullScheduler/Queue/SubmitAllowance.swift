import LullModel

/// Limits how often an app's plugin may submit: a token bucket of `atOnce`, which regains one each `gap`.
///
/// Each accepted submit is in the history, so an app that submits without end would fill the disk for all.
struct SubmitAllowance: Sendable {
    private let atOnce: Int
    private let gap: Duration
    /// When the bucket is full again.
    private var whole: MonotonicTime?

    init(atOnce: Int = Limits.submitsAtOnce, gap: Duration = Limits.submitGap) {
        self.atOnce = atOnce
        self.gap = gap
    }

    /// Takes one; returns how long until there is one if there is none.
    mutating func take(at now: MonotonicTime) -> Duration? {
        let next = max(whole ?? now, now) + gap
        let wait = next - now - gap * atOnce
        guard wait <= .zero else { return wait }
        whole = next
        return nil
    }
}
