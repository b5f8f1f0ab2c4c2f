import LullModel

/// How long a task waits after failing: `first`, doubled by each further failure, at most `max`.
struct Backoff {
    let retry: TaskDefinition.Retry

    func delay(after failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        var delay = retry.first
        for _ in 1..<max(failures, 2) where failures > 1 {
            if delay >= retry.max { break }
            delay = delay * 2
        }
        return min(delay, retry.max)
    }
}
