import LullModel

/// The disk: apps that keep more than they may, and apps that fill what all others need.
extension SchedulerState {
    /// Whether the disk under the state is short.
    public var isDiskShort: Bool { disk.isShort }

    /// Whether next to nothing is free on it, so that nothing is written that can wait.
    public var isDiskFull: Bool { disk.isFull }

    /// Whether an app has something under way that may write: a run, or a worker that is awake.
    public func isAtWork(_ app: AppIdentifier) -> Bool {
        guard let state = apps[app] else { return false }
        return !state.runs.isEmpty || state.workers.contains { $0.state == .starting || $0.state == .warm }
    }

    /// The apps that have filled the disk while it is short.
    public var diskCulprits: [AppIdentifier] { disk.culprits.keys.sorted() }

    public func isFolderTooLarge(_ app: AppIdentifier) -> Bool { folderExcess(of: app) != nil }

    mutating func diskLooked(_ room: DiskRoom, isFull: Bool) {
        disk.room = room
        for app in apps.keys {
            disk.began[app] = isAtWork(app) ? disk.began[app] ?? room : nil
        }
        disk.isFull = isFull || room.bytes < Limits.fullDiskBytes || room.files == 0
        let floor = Limits.diskRoom
        if disk.isFull || room.bytes < floor.bytes || room.files < floor.files {
            disk.isShort = true
        } else if disk.isShort, room.bytes >= 2 * floor.bytes, room.files / 2 >= floor.files {
            let culprits = disk.culprits.keys.sorted()
            (disk.isShort, disk.hasNamed, disk.culprits) = (false, false, [:])
            for app in culprits { touchTasks(of: app) }
        }
    }

    mutating func foldersLooked(_ looks: [AppIdentifier: FolderUse], isAll: Bool) {
        let names = looks.keys.sorted()
        let before = Set(names.filter { folderExcess(of: $0) != nil })
        if isAll { disk.folders = disk.folders.filter { looks[$0.key] != nil } }
        disk.folders.merge(looks) { $1 }
        for name in names {
            let excess = folderExcess(of: name)
            if (excess != nil) != before.contains(name) { touchTasks(of: name) }
            if let excess { endRuns(of: name, beyond: excess) }
            countTransfersAnew(of: name)
        }
        endCulprit()
        if isAll { nameLargest() }
    }

    /// Ends the runs of a folder that is too large. Runs launched by hand despite that may make it smaller, and no
    /// larger.
    private mutating func endRuns(of name: AppIdentifier, beyond excess: FolderExcess) {
        for id in apps[name]?.runs ?? [] where excess.bytes > disk.allowed[id] ?? 0 {
            signal(id, .overuse(excess.sentence))
        }
    }

    /// An app that may have filled the disk.
    private struct Suspect {
        let app: AppIdentifier
        let growth: DiskRoom
        /// The part of it in the history.
        let recorded: Int64

        /// The kind of growth that prevails, as a clause.
        func words(isOfBytes: Bool) -> String {
            guard isOfBytes else { return "\(growth.files) files since it began" }
            return recorded > growth.bytes / 2
                ? "\(Phrase.size(recorded)) of its requests, messages and output in the history"
                : "\(Phrase.size(growth.bytes)) since it began"
        }
    }

    /// Apps that are at work or have lately added too much to the history, and whose growth explains the shortage.
    private var diskSuspects: [Suspect] {
        let writers = apps.keys.filter { historyGrowth(of: $0) >= Limits.diskGrowth.bytes }
        return Set(disk.began.keys).union(writers).sorted().compactMap { app in
            let recorded = historyGrowth(of: app)
            guard disk.culprits[app] == nil, let growth = disk.growth(of: app, inHistory: recorded),
                disk.explains(growth)
            else { return nil }
            return Suspect(app: app, growth: growth, recorded: recorded)
        }
    }

    /// Ends the app that has written the most since the disk had room, and no other.
    private mutating func endCulprit() {
        guard disk.isShort, let room = disk.room else { return }
        let suspects = diskSuspects
        let isOfBytes = room.bytes < Limits.diskRoom.bytes || disk.isFull && room.files > 0
        // Apps whose use is known come before apps whose folders can't be seen in full.
        let known = suspects.filter {
            disk.folders[$0.app]?.isWhole == true || $0.recorded > $0.growth.bytes / 2
        }
        guard
            let most = (known.isEmpty ? suspects : known).max(by: {
                isOfBytes ? $0.growth.bytes < $1.growth.bytes : $0.growth.files < $1.growth.files
            })
        else { return }
        let name = most.app
        let left = isOfBytes ? "\(Phrase.size(room.bytes)) are" : "room for \(room.files) more is"
        let sentence =
            "\(name) has filled the disk that holds Lull's state: \(most.words(isOfBytes: isOfBytes)), and \(left) "
            + "left for all others"
        disk.culprits[name] = sentence
        disk.hasNamed = true
        note(violationOf: name, nil, sentence)
        for id in apps[name]?.runs ?? [] { signal(id, .overuse(sentence)) }
        for known in apps[name]?.workers ?? [] where known.runs.isEmpty && known.state != .suspended {
            kill(known.id, because: sentence)
            if known.state == .starting {
                noteStartFailure(of: name, "its worker was killed before the plugin was ready: \(sentence)")
            }
        }
        touchTasks(of: name)
    }

    /// The app that keeps the most, if the disk had room without that. Else the space is in no app's folder, and the largest
    /// is as innocent as the others.
    private var largestFolder: (key: AppIdentifier, value: FolderUse)? {
        guard let room = disk.room,
            let most = disk.folders.max(by: { ($0.value.bytes, $1.key) < ($1.value.bytes, $0.key) }),
            most.value.bytes > 0,
            room.files < Limits.diskRoom.files || room.bytes + most.value.bytes >= Limits.diskRoom.bytes
        else { return nil }
        return most
    }

    /// No app at work has filled the disk: names the app that keeps the most, once.
    private mutating func nameLargest() {
        guard disk.isShort, !disk.hasNamed, let room = disk.room, let most = largestFolder,
            listing.has(most.key)
        else { return }
        disk.hasNamed = true
        note(
            violationOf: most.key, nil,
            "\(Phrase.size(room.bytes)) are left on the disk that holds Lull's state, and of all apps \(most.key) keeps "
                + "the most there: \(most.value.words)")
    }

    /// The trouble with the disk, for `status`; nil: there is room.
    public var diskTrouble: String? {
        guard disk.isShort, let room = disk.room else { return nil }
        let left =
            room.files < Limits.diskRoom.files
            ? "room for \(room.files) more files" : "\(Phrase.size(room.bytes)) free"
        var parts = ["The disk that holds Lull's state is \(disk.isFull ? "full" : "nearly full"): \(left)."]
        parts += disk.culprits.keys.sorted().compactMap { disk.culprits[$0].map { $0 + "." } }
        // If it is known who has filled the disk, no other app is named.
        if disk.culprits.isEmpty, let most = largestFolder {
            parts.append("The largest folder is that of \(most.key): \(most.value.words).")
        } else if disk.culprits.isEmpty {
            let atWork = disk.began.keys.sorted().map(\.text).joined(separator: ", ")
            parts.append(
                "No app's folder holds what has filled it: another program does, or a process that keeps deleted files"
                    + (atWork.isEmpty ? "." : "; at work are \(atWork)."))
        }
        parts.append("Delete what is not needed there, or free room elsewhere on that disk.")
        return parts.joined(separator: " ")
    }

    /// Nil: the folder is within its limit, or was not measured.
    func folderExcess(of name: AppIdentifier) -> FolderExcess? {
        FolderExcess(disk.folders[name], of: app(name))
    }
}

/// An app's folder that exceeds its limit.
struct FolderExcess {
    let bytes: Int64
    private let use: FolderUse
    private let app: AppIdentifier
    private let limit: Int64

    var sentence: String { use.excess(of: app.text, limit: limit) }

    init?(_ use: FolderUse?, of app: App?) {
        guard let use, let app, let limit = app.limits.disk, use.bytes > limit || use.isHidden else {
            return nil
        }
        bytes = use.bytes
        self.use = use
        self.app = app.identifier
        self.limit = limit
    }
}

extension GateInput {
    /// Whether the app's folder is within its limit: if not, a launch would end as the last one did.
    func folder() -> GateFinding {
        if let filledDisk { return closed(.folder(.filledDisk(filledDisk))) }
        guard let app, let limit = app.limits.disk else { return open(.folder(.unlimited)) }
        guard let use = folderUse else { return open(.folder(.unseen)) }
        return FolderExcess(use, of: app.value) == nil
            ? open(.folder(.within(use, limit: limit))) : closed(.folder(.tooMuch(use, limit: limit)))
    }
}
