import Glibc

/// Signals that would kill a command without a message, and that it can survive.
///
/// A write beyond the limit of a file's size then fails with `EFBIG`, which has a message. The others are sent to many
/// daemons by habit, to rotate their logs, or are left over from the parent process. They have a handler and are not
/// ignored: a started program inherits an ignored signal, but no handler.
package enum SurvivableSignals {
    package static func take() {
        for number in [SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        // The parent process may have blocked the signals that end this one, and that is inherited.
        var ends = sigset_t()
        sigemptyset(&ends)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
        pthread_sigmask(SIG_UNBLOCK, &ends, nil)
    }
}
