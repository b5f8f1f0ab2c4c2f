/// What a session can be made to do wrong, so that the simulator's tests see that it is found.
///
/// Like the scheduler's `Mutation`: for the length of a call, and in debug builds alone.
package enum SessionMutation: Sendable, CaseIterable {
    /// A completion is believed, whichever run it is of.
    case believesAnyRun
    /// A submit's answer is not sent.
    case dropsAnswers
    /// The answer to a submit goes to another of its worker's.
    case mistakesAnswers
    /// What comes after a fatal violation is heard.
    case listensOn
    /// A withdrawal whose answer is on its way is passed over.
    case forgetsAnswered
    /// A completion is not told.
    case dropsCompletions

    #if DEBUG
        @TaskLocal package static var current: SessionMutation?
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
