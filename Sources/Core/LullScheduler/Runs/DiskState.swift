import LullModel

/// The state of the disk and of apps' folders on it; forgotten with the host.
struct DiskState: Sendable {
    var room: DiskRoom?
    /// Less is free than the host and all others need.
    var isShort = false
    /// Next to nothing is free.
    var isFull = false
    /// A culprit, or the app that keeps the most, has been named since the disk became short.
    var hasNamed = false
    var folders: [AppIdentifier: FolderUse] = [:]
    /// The apps that have filled the disk while it is short, each with a sentence that says so.
    var culprits: [AppIdentifier: String] = [:]
    /// The free space when an app began its present work.
    var began: [AppIdentifier: DiskRoom] = [:]
    /// For runs launched by hand although the folder was too large: its size then, which they may not exceed.
    var allowed: [RunID: Int64] = [:]

    /// What an app has written since it began: at most the space that is gone, and at most what changed in its folder
    /// if all of that could be seen. Its growth in the history is known, whether it is at work or not.
    func growth(of app: AppIdentifier, inHistory recorded: Int64) -> DiskRoom? {
        guard let room else { return nil }
        guard let began = began[app], let use = folders[app] else {
            return recorded > 0 ? DiskRoom(bytes: recorded, files: 0) : nil
        }
        let written = min(began.bytes - room.bytes, use.isWhole ? use.changedBytes + recorded : .max)
        return DiskRoom(
            bytes: max(written, recorded),
            files: room.files == .max
                ? 0 : min(began.files - room.files, use.isWhole ? use.changedFiles : .max))
    }

    /// Whether the disk would not be short without that growth. On a full disk any large growth counts until there is a
    /// culprit: the culprit's files stay, and later apps are not blamed for them.
    func explains(_ growth: DiskRoom) -> Bool {
        guard let room else { return false }
        let (floor, least) = (Limits.diskRoom, Limits.diskGrowth)
        if growth.bytes >= least.bytes, room.bytes < floor.bytes || isFull {
            return isFull && culprits.isEmpty || room.bytes + growth.bytes >= floor.bytes
        }
        guard growth.files >= least.files, room.files < floor.files else { return false }
        return room.files == 0 && culprits.isEmpty || room.files + growth.files >= floor.files
    }
}
