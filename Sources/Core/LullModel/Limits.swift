/// The limits on all input from outside, in one place.
public enum Limits {
    public static let identifierBytes = 255
    public static let manifestBytes = 16 << 20
    public static let manifestDepth = 64
    /// Files that one manifest may consist of.
    public static let manifestFiles = 1000
    public static let manifestNodes = 1_000_000
    /// Bytes of an iCalendar file that the manifest names, and the events that are read from it.
    public static let calendarBytes = 1 << 20
    public static let calendarEvents = 5000
    /// The events of such a file that come again.
    public static let calendarRules = 500
    public static let settingsBytes = 64 << 10
    public static let frameBytes = 128 << 10
    public static let logLineBytes = 4 << 10
    public static let reasonBytes = 1 << 10
    /// The name of who acted, in the history.
    public static let actorBytes = 200
    /// The output of a run that is quoted after a reason: room for `LastLines.most` lines.
    public static let quotedBytes = 4 << 10
    /// A line of a log that uses are learned from.
    public static let usageLineBytes = 64 << 10
    /// Bytes that are read from the end of a new log.
    public static let usageFirstBytes = 64 << 20
    /// Bytes that are read of a log that has grown while no host followed it.
    public static let usageCatchUpBytes = 1 << 30
    /// Bytes that are read of all logs before the event loop goes on with other work.
    public static let usagePieceBytes = 1 << 20
    /// Apple's: 1 refresh and 10 processing requests pending for an app.
    public static let pendingRefreshRequests = 1
    public static let pendingProcessingRequests = 10
    public static let pendingContinuedRequests = 10
    /// Submits that an app's plugin may make in a burst; one more after each gap.
    public static let submitsAtOnce = 1000
    public static let submitGap: Duration = .seconds(4)
    /// Bytes of a push's payload by default, and the most that the manifest may set: a launch is one frame.
    public static let pushBytes = 64 << 10
    public static let pushBytesMost = 100 << 10
    /// Pushes of an app that are accepted in a burst; one more after each gap. Each is in the history.
    public static let pushesAtOnce = 100
    public static let pushGap: Duration = .seconds(10)
    /// Urgent pushes in a row that an app may leave unreported before it loses urgency.
    public static let unreportedPushes = 3
    /// Apple's: the most notifications of an app that may wait. Apple keeps the 64 that are due first; this host refuses more.
    public static let pendingNotifications = 64
    /// Delivered notifications of an app that are remembered, the newest.
    public static let deliveredNotifications = 64
    /// The texts of one notification, with the data that the SDK keeps in it.
    public static let notificationBytes = 4 << 10
    /// Transfers of an app that wait, are under way, or whose result the app has not received.
    public static let transfers = 10_000
    /// The orders of all of these together, with their bodies: the host keeps them in memory.
    public static let transferTextBytes = 32 << 20
    /// The order of a transfer without its body, and the body.
    public static let transferOrderBytes = 48 << 10
    public static let transferBodyBytes = 32 << 10
    public static let transferURLBytes = 8 << 10
    /// Bytes that an app may put into the history in a burst, more than its transfers may take; and each second after
    /// that.
    public static let historyBytesAtOnce = 48 << 20
    public static let historyBytesPerSecond = 16 << 10
    /// Bytes a day that an app's part of the history may grow by before the app is suspected of filling the disk.
    public static let historyBytesADay = 32 << 20
    /// A user's name or password that answers a challenge.
    public static let credentialBytes = 1 << 10
    /// Bytes of a response's headers that are kept.
    public static let transferHeadBytes = 32 << 10
    /// Transfers under way at once, of all apps.
    public static let transfersAtOnce = 100
    /// Apple's `timeoutIntervalForResource`: longer is refused.
    public static let transferLife: Duration = .days(30)
    /// How long the result of a transfer is kept if the app does not take it.
    public static let transferKept: Duration = .days(30)
    /// Bytes that stay free on the disk, in addition to the manifest's `disk_free`.
    public static let transferDiskRoom: Int64 = 64 << 20
    /// Continued tasks of an app that are remembered, beyond those that wait or run.
    public static let continuedTasks = 100
    /// Identifiers that a worker may register by wildcards; all are remembered while it lives.
    public static let registrations = 10_000
    /// Missed times of `at` that are made up for one by one; older ones are merged into the first of them.
    public static let missedTimes = 100
    /// Up to this many times of `at` are counted for one launch.
    public static let countedTimes = 1000
    /// Paths that are listed of the files that started a run; the others are only counted.
    public static let eventPaths = 100
    public static let eventPathBytes = 8 << 10
    /// After this many requests in a row for files that arrived while the task ran, the task is assumed to write them itself.
    public static let fedRequests = 5
    /// Files of a folder that are compared after the host was off, and entries of `on` that one task may have.
    public static let watchedFiles = 100_000
    public static let triggers = 100
    /// A title, a subtitle, and the name of a data protection.
    public static let titleBytes = 255
    /// A continued run without progress for this long is expired.
    public static let stallTime: Duration = .seconds(60)
    /// The time that all activities of an app have together, once nothing else keeps it awake.
    public static let activityTime: Duration = .seconds(30)
    /// How long before the end of that time the activities' handlers are called: their grace.
    public static let activityWarning: Duration = .seconds(5)
    /// Activities of an app at once; the time of each belongs to the app, so more are no use to it.
    public static let activities = 1000
    /// A host function that waits for the host answers within this time.
    public static let submitWait: Duration = .seconds(1)
    /// The time limit for looking up a plugin, and the users and groups that may change it, before a worker starts.
    public static let lookWait: Duration = .seconds(10)
    /// The time limit for reading a manifest again, with all files that it names.
    public static let readWait: Duration = .seconds(60)
    /// A worker that has not sent `hello` within this time has failed to start.
    public static let startWait: Duration = .seconds(30)
    /// A launch function that has not returned within this time hangs.
    public static let launchReturnWait: Duration = .seconds(5)
    /// With less free room on the disk of the state folder, the disk is short, and the apps that filled it are ended. It counts
    /// as short until twice as much is free.
    public static let diskRoom = DiskRoom(bytes: 16 << 20, files: 1000)
    /// With less free room the disk is full: the output of runs is not kept.
    public static let fullDiskBytes: Int64 = 1 << 20
    /// An app that has written less than this has not filled the disk.
    public static let diskGrowth = DiskRoom(bytes: 1 << 20, files: 100)
    /// Between the last completion and the suspension of a worker.
    public static let settleTime: Duration = .seconds(2)
}
