import LullModel
import LullSystem

/// How many bytes a worker may send in a span of time before its host stops reading for the rest of it.
///
/// So a flood costs its own app, whose pipes fill, and never the host's other work. The clock is read once a megabyte,
/// not at each frame.
struct Traffic {
    static let bytesInSpan = 1 << 20
    static let span: Duration = .milliseconds(100)
    /// What a frame costs beside its bytes.
    static let frameCost = 256

    private var spent = 0
    private var began: MonotonicTime?

    /// When to listen again; nil: now.
    mutating func spend(_ bytes: Int, now: () -> MonotonicTime) -> MonotonicTime? {
        spent += bytes
        guard spent > Self.bytesInSpan else { return nil }
        let time = now()
        let end = (began ?? MonotonicTime(nanoseconds: 0)) + Self.span
        spent = 0
        began = max(time, end)
        return time < end ? end : nil
    }
}
