private import Glibc

/// A thread that runs beside the loop until its work is done, and the errno when there can be none.
public enum OwnThread {
    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Begins `body` on a thread of its own. 0, or the errno: then it is never called.
    public static func begin(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let fault = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        if fault == 0 { pthread_detach(thread) } else { box.release() }
        return fault
    }

    /// Whether there can be a thread at this moment: 0, or the errno.
    public static func probe() -> Int32 { begin {} }
}
