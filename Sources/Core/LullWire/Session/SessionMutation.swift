/// A deliberate fault in a session, with which the tests check that the simulator finds it.
///
/// Like the scheduler's `Mutation`: on for the duration of a call, and only in debug builds.
package enum SessionMutation: Sendable, CaseIterable {
    /// A completion is accepted for any run.
    case believesAnyRun
    /// A submit's answer is not sent.
    case dropsAnswers
    /// The answer to a submit goes to another submit of its worker.
    case mistakesAnswers
    /// Frames after a fatal violation are handled.
    case listensOn
    /// The withdrawal of a submit whose answer is on its way is ignored.
    case forgetsAnswered
    /// A completion is not reported.
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
