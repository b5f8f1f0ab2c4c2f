import LullModel

/// What was answered or ended lately, for messages that come after it.
struct RecentAnswers: Sendable {
    /// Accepted submits, notifications and transfers by the token of the call, so that they can be withdrawn: the plugin may
    /// have stopped waiting for the answer.
    var submits = RecentValues<Token, AcceptedSubmit>()
    var notifications = RecentValues<Token, AddedNotification>()
    var transfers = RecentValues<Token, TransferID>()
    /// To identify the run in messages that come after its end.
    var runs = RecentValues<RunID, EndedRun>()
}
