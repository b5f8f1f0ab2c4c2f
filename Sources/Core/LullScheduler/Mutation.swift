package import LullModel

/// A bug that tests plant in the host or the scheduler, to see that the simulator finds it.
///
/// A bug is planted for the length of a call, `Mutation.$current.withValue(bug) { … }`, and in debug builds alone: in a
/// release the question is the constant false, and the branch behind it is not compiled.
package enum Mutation: Sendable, Hashable {
    /// A closed gate is ignored.
    case passesOver(GateName)
    /// A task is launched on its closed days.
    case forgetsDays
    case forgetsQuotas
    /// A failed run is not asked for again.
    case forgetsRetries
    /// A withdrawn submit goes on waiting.
    case forgetsWithdrawals
    /// The request of a run that was cut off with its host is not made again.
    case forgetsInterrupted
    /// A submit that an app makes while it is started for a request replaces that request.
    case replacesDue
    /// The end of a replaced request is not recorded.
    case forgetsReplaced
    /// After a launch the next time of `at` is not requested.
    case forgetsTimes
    /// An operator's launch takes the place of the request made by `repeat` or `at`.
    case movesRhythm
    /// A launch does not record the times of `at` that it stands for.
    case forgetsMissed
    /// An event that comes while a request waits is lost.
    case forgetsEvents
    /// The events of a replaced request are lost with it.
    case leavesEvents
    /// The next run of a chain is requested however the run before it ended.
    case followsAnything
    /// A failed run is not tried again, whatever `retry` says.
    case forgetsAttempts
    /// Of pending pushes the oldest wins.
    case keepsOldPush
    /// No app loses the right to urgent pushes.
    case keepsUrgency
    /// No effect waits for the log.
    case actsEarly
    /// Effects that end a run wait for the log as well.
    case waitsToEnd
    /// A run that has ended may end again.
    case endsTwice
    /// The host does not wake when a gate opens.
    case oversleeps
    /// Workers that started before a change of the manifest stay in use.
    case keepsWorkers
    /// Idle apps are started, so that they register their handlers.
    case discoversIdle
    /// A notification is delivered before its time.
    case deliversEarly
    /// The host does not look again when a notification is due.
    case forgetsNotifications
    /// A notification is delivered twice.
    case deliversTwice
    /// A discretionary transfer is begun at once.
    case hurriesTransfers
    /// News of an earlier attempt counts.
    case believesOldNews
    /// An app's last answer is taken for its answer to every question.
    case keepsOneAnswer
    /// An app without a handler for questions is asked all the same.
    case asksTheMute
    /// Transfers are begun while their app's folder is full.
    case fillsFolders
    /// A transfer that was interrupted is not tried again.
    case forgetsInterruptedTransfers

    /// A run goes on when its lease in the fleet is over.
    case keepsLostLeases
    /// The result of a slot is not reported.
    case forgetsResults
    /// Slots are claimed when their time comes, and not offered before.
    case offersNothing

    #if DEBUG
        @TaskLocal package static var current: Mutation?
    #endif

    @inline(__always)
    package var isOn: Bool {
        #if DEBUG
            Self.current == self
        #else
            false
        #endif
    }
}
