import LullModel

/// What is known of the disk under the state, and of what apps keep on it; forgotten with the host.
struct DiskState: Sendable {
    var room: DiskRoom?
    /// Less is free than the host and all others need.
    var isShort = false
    /// There is next to nothing.
    var isFull = false
    /// Since it is short, a look has told who keeps the most.
    var hasNamed = false
    var folders: [AppIdentifier: FolderUse] = [:]
    /// Who has filled it while it is short, and the sentence that says so.
    var culprits: [AppIdentifier: String] = [:]
    /// What was free when an app began what it has under way.
    var began: [AppIdentifier: DiskRoom] = [:]
    /// Of runs that were launched by hand past a folder that was too large: how large it was, which they may leave it.
    var allowed: [RunID: Int64] = [:]

    /// What an app has written since it began: no more than what is gone of the room, and no more than what it has changed,
    /// where all of that could be seen. What the history has grown by for it is known, whether it is at work or not.
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

    /// Whether without that growth the disk would not be short; where nothing is left at all, whoever wrote the most is the
    /// first to go. What a culprit wrote stays, and those after it are not blamed for that.
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
