import LullModel

/// How often an app's plugin may submit: so many at once, of which one comes back after each `Limits.submitGap`.
///
/// All that is accepted is in the history, so an app that submits without end would fill the disk of all.
struct SubmitAllowance: Sendable {
    /// When all have come back.
    private var whole: MonotonicTime?

    /// Takes one; where there is none, how long until there is.
    mutating func take(at now: MonotonicTime) -> Duration? {
        let next = max(whole ?? now, now) + Limits.submitGap
        let wait = next - now - Limits.submitGap * Limits.submitsAtOnce
        guard wait <= .zero else { return wait }
        whole = next
        return nil
    }
}
