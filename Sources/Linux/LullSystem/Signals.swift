private import CLullShims
private import Glibc

/// Signals as events of the loop (`signalfd`): blocked for the process, read like any other descriptor.
public final class Signals {
    private let descriptor: Int32
    private let loop: EventLoop

    /// Keeps `numbers` from every thread that the calling one makes from now on. To be called before there is any
    /// other thread: a signal goes to whichever thread does not block it, and ends the process there.
    public static func block(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Receives `numbers`, which no thread may have unblocked.
    public init(_ numbers: [Int32], on loop: EventLoop, handler: @escaping (Int32) -> Void) throws(LoopError)
    {
        self.loop = loop
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        Self.block(numbers)
        descriptor = signalfd(-1, &set, Int32(LULL_SIGNALFD_FLAGS.rawValue))
        guard descriptor >= 0 else { throw LoopError(operation: "receive signals", code: errno) }
        try loop.watch(descriptor, .readable) { [descriptor] _ in
            var info = signalfd_siginfo()
            while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size)
                == MemoryLayout<signalfd_siginfo>.size
            {
                handler(Int32(bitPattern: info.ssi_signo))
            }
        }
    }

    deinit {
        loop.forget(descriptor)
        close(descriptor)
    }
}
