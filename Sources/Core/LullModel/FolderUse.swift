/// What an app keeps on the disk, as a look has found it.
public struct FolderUse: Sendable, Equatable {
    /// What its folder takes of the disk, with files that it has deleted and still has open.
    public var bytes: Int64
    public var files: Int64
    /// Of that, and of files elsewhere on the state's disk that it has open for writing, what was changed since it began:
    /// more than that it has not written there.
    public var changedBytes: Int64
    public var changedFiles: Int64
    /// Whether all of it was seen; else it is at least as much.
    public var isWhole: Bool
    /// The app keeps something where nobody can look: in a folder that it has closed, or too deep. Whatever else is seen,
    /// that may be of any size.
    public var isHidden: Bool

    public init(
        bytes: Int64 = 0, files: Int64 = 0, changedBytes: Int64 = 0, changedFiles: Int64 = 0,
        isWhole: Bool = true, isHidden: Bool = false
    ) {
        self.bytes = bytes
        self.files = files
        self.changedBytes = changedBytes
        self.changedFiles = changedFiles
        self.isWhole = isWhole && !isHidden
        self.isHidden = isHidden
    }
}

/// What is free where the state lies.
public struct DiskRoom: Sendable, Equatable {
    public var bytes: Int64
    /// How many more files it can hold; `.max` where a file system does not count them.
    public var files: Int64

    public init(bytes: Int64, files: Int64 = .max) {
        self.bytes = bytes
        self.files = files
    }
}
