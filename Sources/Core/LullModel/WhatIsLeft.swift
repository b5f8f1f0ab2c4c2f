/// What happens to processes that a run has started when the run ends before them.
public enum WhatIsLeft: String, Sendable, Codable, CaseIterable {
    /// They are ended with the run, and reported by name.
    case ended
    /// They go on while the host runs, within the app's limits.
    case running
}
