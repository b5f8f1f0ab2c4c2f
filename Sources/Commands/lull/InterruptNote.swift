import Dispatch
import Glibc
import LullCommands

/// Ctrl-C ends a command that waits, and a sentence says what goes on without it.
final class InterruptNote {
    private let source: any DispatchSourceSignal

    init(_ sentence: String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            Output.error("\n" + sentence)
            // The exit code that a shell gives a command ended by a signal.
            _exit(128 + SIGINT)
        }
        source.resume()
    }

    func forget() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
