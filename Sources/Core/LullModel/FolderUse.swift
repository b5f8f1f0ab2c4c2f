/// The disk space that an app uses, as measured.
public struct FolderUse: Sendable, Equatable {
    /// The size of its folder on the disk, with deleted files that it still has open.
    public var bytes: Int64
    public var files: Int64
    /// The size of those of its files, and of files elsewhere on the state's disk that it has open for writing, that changed
    /// since its current work began: it has written no more than that there.
    public var changedBytes: Int64
    public var changedFiles: Int64
    /// Whether all of the folder was measured; else the figures are a lower bound.
    public var isWhole: Bool
    /// Whether a part can't be measured: a folder that the app has closed, or one that is nested too deep. That part may have
    /// any size.
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

/// The free room on the disk of the state folder.
public struct DiskRoom: Sendable, Equatable {
    public var bytes: Int64
    /// The number of files that it can still hold; `.max` where the file system does not count them.
    public var files: Int64

    public init(bytes: Int64, files: Int64 = .max) {
        self.bytes = bytes
        self.files = files
    }
}
