private import CLullShims
private import Glibc

/// Signals as events of the loop (`signalfd`): blocked for the process, read like any other descriptor.
public final class Signals {
    private let descriptor: Int32
    private let loop: EventLoop

    /// Blocks `numbers` for the calling thread and every thread it makes later; so: early, and on the main
    /// thread.
    public init(_ numbers: [Int32], on loop: EventLoop, handler: @escaping (Int32) -> Void) throws(LoopError)
    {
        self.loop = loop
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
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
