import Glibc

/// Signals that would end a command without a word, and that it can go on after.
///
/// A file that may not grow any more is an error of the write, which has a sentence (`EFBIG`). The others are sent to many
/// daemons, by habit, to have their logs rotated, or left over from whoever started this. They are heard and not ignored:
/// what is ignored stays so in a program that is started, and what is heard does not.
package enum SurvivableSignals {
    package static func take() {
        for number in [SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        // Whoever started this may have blocked what ends it, which is inherited.
        var ends = sigset_t()
        sigemptyset(&ends)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
        pthread_sigmask(SIG_UNBLOCK, &ends, nil)
    }
}
