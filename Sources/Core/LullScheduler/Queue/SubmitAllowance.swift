import LullModel

/// How often an app's plugin may submit: so many at once, of which one comes back after each `Limits.submitGap`.
///
/// All that is accepted is in the history, so an app that submits without end would fill the disk of all.
struct SubmitAllowance: Sendable {
    private let atOnce: Int
    private let gap: Duration
    /// When all have come back.
    private var whole: MonotonicTime?

    init(atOnce: Int = Limits.submitsAtOnce, gap: Duration = Limits.submitGap) {
        self.atOnce = atOnce
        self.gap = gap
    }

    /// Takes one; where there is none, how long until there is.
    mutating func take(at now: MonotonicTime) -> Duration? {
        let next = max(whole ?? now, now) + gap
        let wait = next - now - gap * atOnce
        guard wait <= .zero else { return wait }
        whole = next
        return nil
    }
}
