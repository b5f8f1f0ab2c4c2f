private import CLullShims

/// Memory of this process that it does not need at the moment.
public enum OwnMemory {
    /// Gives back freed memory, and unmaps code and constants. The kernel keeps the file's pages in its cache, so
    /// what runs on maps its own again in about a tenth of a millisecond.
    public static func giveBack() { lull_give_back_memory() }
}
