package import LullModel

/// What host and scheduler can be made to do wrong, so that the simulator's tests see that it is found.
///
/// A bug is planted for the length of a call, `Mutation.$current.withValue(bug) { … }`, and in debug builds alone: in a
/// release the question is the constant false, and the branch behind it is not compiled.
package enum Mutation: Sendable, Hashable {
    /// The gate may be closed, and nobody cares.
    case passesOver(GateName)
    case forgetsQuotas
    /// What failed is not asked for again.
    case forgetsRetries
    /// A withdrawn submit goes on waiting.
    case forgetsWithdrawals
    /// What a run that was cut off with its host was launched for is not asked for again.
    case forgetsInterrupted
    /// What an app submits while it is started for a request takes that one's place.
    case replacesDue
    /// A request that is replaced ends without a word.
    case forgetsReplaced
    /// After a launch nobody asks for the next time of `at`.
    case forgetsTimes
    /// What an operator launches takes the place of what `repeat` or `at` asked for.
    case movesRhythm
    /// A launch does not say for which times of `at` it stands.
    case forgetsMissed
    /// An event that comes while a request waits is lost.
    case forgetsEvents
    /// A request that gives way takes its events with it.
    case leavesEvents
    /// The next of a chain is asked for however the run before ended.
    case followsAnything
    /// What failed is not tried again, whatever `retry` says.
    case forgetsAttempts
    /// Of pushes that wait the oldest wins.
    case keepsOldPush
    /// No app loses urgency.
    case keepsUrgency
    /// Nothing waits for the log.
    case actsEarly
    /// What ends a run waits for the log as well.
    case waitsToEnd
    /// A run that has ended may end again.
    case endsTwice
    /// The host does not wake when a gate opens.
    case oversleeps
    /// What was started before a change of the manifest goes on being used.
    case keepsWorkers
    /// Idle apps are started, so that they register their handlers.
    case discoversIdle
    /// A notification is delivered before its time.
    case deliversEarly
    /// Nobody looks again when a notification is due.
    case forgetsNotifications
    /// A notification is delivered, and once more.
    case deliversTwice
    /// A discretionary transfer is begun at once.
    case hurriesTransfers
    /// What is said of an earlier attempt counts.
    case believesOldNews
    /// What an app answered last is taken for its answer to everything.
    case keepsOneAnswer
    /// An app that has nothing that answers is asked all the same.
    case asksTheMute
    /// Transfers are begun while their app's folder is full.
    case fillsFolders
    /// A transfer that was interrupted is not tried again.
    case forgetsInterruptedTransfers

    /// A run goes on when its lease in the fleet is over.
    case keepsLostLeases
    /// What became of a slot is not told.
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
