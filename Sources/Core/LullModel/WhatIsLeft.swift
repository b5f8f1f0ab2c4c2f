/// What becomes of the processes that a run has started and not ended when it ends.
public enum WhatIsLeft: String, Sendable, Codable, CaseIterable {
    /// They end with it, and are named.
    case ended
    /// They go on while the host runs, and are held to the limits.
    case running
}
