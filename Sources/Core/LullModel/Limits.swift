/// The limits on everything that comes from outside, in one place.
public enum Limits {
    public static let identifierBytes = 255
    public static let manifestBytes = 16 << 20
    public static let manifestDepth = 64
    /// Files that one manifest may consist of.
    public static let manifestFiles = 1000
    public static let manifestNodes = 1_000_000
    public static let settingsBytes = 64 << 10
    public static let frameBytes = 128 << 10
    public static let logLineBytes = 4 << 10
    public static let reasonBytes = 1 << 10
    /// What a reason quotes of what a run printed, beside it: room for `LastLines.most`.
    public static let quotedBytes = 4 << 10
    /// A line of a log that uses are learned from.
    public static let usageLineBytes = 64 << 10
    /// So much is read of a log that is new, from its end.
    public static let usageFirstBytes = 64 << 20
    /// So much is read of a log that has grown while nobody followed it.
    public static let usageCatchUpBytes = 1 << 30
    /// So much is read of all logs before the loop goes on with other things.
    public static let usagePieceBytes = 1 << 20
    /// Apple's: 1 refresh and 10 processing requests pending for an app.
    public static let pendingRefreshRequests = 1
    public static let pendingProcessingRequests = 10
    public static let pendingContinuedRequests = 10
    /// Submits that an app's plugin may make as fast as it can; one more after each gap.
    public static let submitsAtOnce = 1000
    public static let submitGap: Duration = .seconds(4)
    /// Bytes of a push's payload, where the manifest does not say, and the most that it may say: a launch is one frame.
    public static let pushBytes = 64 << 10
    public static let pushBytesMost = 100 << 10
    /// Pushes of an app that are taken as fast as they come; one more after each gap. Each is in the history.
    public static let pushesAtOnce = 100
    public static let pushGap: Duration = .seconds(10)
    /// Urgent pushes in a row that an app may leave unreported before it loses urgency.
    public static let unreportedPushes = 3
    /// Apple's: so many notifications of an app wait at most. Apple keeps the 64 that come first, and this host refuses more.
    public static let pendingNotifications = 64
    /// Delivered notifications of an app that are remembered; older ones are forgotten.
    public static let deliveredNotifications = 64
    /// All that one notification says, and what the SDK keeps with it.
    public static let notificationBytes = 4 << 10
    /// Transfers of an app that wait, are under way or have not been taken.
    public static let transfers = 10_000
    /// What all of these say together, with their bodies: the host keeps it in memory.
    public static let transferTextBytes = 32 << 20
    /// All that an order of a transfer says, without its body, and its body.
    public static let transferOrderBytes = 48 << 10
    public static let transferBodyBytes = 32 << 10
    public static let transferURLBytes = 8 << 10
    /// What an app may put into the history as fast as it can, which is more than its transfers say; and each second after
    /// that.
    public static let historyBytesAtOnce = 48 << 20
    public static let historyBytesPerSecond = 16 << 10
    /// By so much a day an app's part of the history may grow before it is suspected of filling the disk.
    public static let historyBytesADay = 32 << 20
    /// A user's name or password that answers a challenge.
    public static let credentialBytes = 1 << 10
    /// The headers of an answer that are kept.
    public static let transferHeadBytes = 32 << 10
    /// Transfers under way at once, of all apps.
    public static let transfersAtOnce = 100
    /// Apple's `timeoutIntervalForResource`: longer is refused.
    public static let transferLife: Duration = .days(30)
    /// What has ended and nobody takes is given up after so long.
    public static let transferKept: Duration = .days(30)
    /// What stays free on the disk, beside what the manifest's `disk_free` demands.
    public static let transferDiskRoom: Int64 = 64 << 20
    /// Continued tasks of an app that are remembered, beyond those that wait or run.
    public static let continuedTasks = 100
    /// Identifiers that a worker may register by wildcards; all are remembered as long as it lives.
    public static let registrations = 10_000
    /// Times of `at` that are made up for one by one; older ones are merged into the first of them.
    public static let missedTimes = 100
    /// Times of `at` that one launch stands for are counted up to here.
    public static let countedTimes = 1000
    /// Paths of files that started a run and are named one by one; of others the number is told.
    public static let eventPaths = 100
    public static let eventPathBytes = 8 << 10
    /// A task that is asked for so many times in a row by files which came while it ran may write them itself.
    public static let fedRequests = 5
    /// Files that a folder is compared with after the host was off, and entries of `on` that one task has.
    public static let watchedFiles = 100_000
    public static let triggers = 100
    /// A title, a subtitle, and how data is protected.
    public static let titleBytes = 255
    /// A continued run that has not got on for as long is expired.
    public static let stallTime: Duration = .seconds(60)
    /// What an app has, for all its activities together, once nothing else keeps it awake.
    public static let activityTime: Duration = .seconds(30)
    /// How long before its end the activities' handlers are called: the grace that they have.
    public static let activityWarning: Duration = .seconds(5)
    /// Activities of an app at once; the time of each belongs to the app, so more are no use to it.
    public static let activities = 1000
    /// A host function that waits for the host answers within this time.
    public static let submitWait: Duration = .seconds(1)
    /// A plugin, and the users and groups that may change it, are looked up within this time before a worker starts.
    public static let lookWait: Duration = .seconds(10)
    /// A manifest is read again within this time, with all that it names.
    public static let readWait: Duration = .seconds(60)
    /// A worker that has not said hello by then does not start.
    public static let startWait: Duration = .seconds(30)
    /// A launch function that has not returned by then hangs.
    public static let launchReturnWait: Duration = .seconds(5)
    /// With less than that free where the state lies the disk is short, and who has filled it is ended; it is so until
    /// twice as much is free.
    public static let diskRoom = DiskRoom(bytes: 16 << 20, files: 1000)
    /// Below that it is full: what runs print is not kept.
    public static let fullDiskBytes: Int64 = 1 << 20
    /// Who has written less than that has not filled it.
    public static let diskGrowth = DiskRoom(bytes: 1 << 20, files: 100)
    /// Between the last completion and the suspension of a worker.
    public static let settleTime: Duration = .seconds(2)
}
