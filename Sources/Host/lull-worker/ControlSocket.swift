import CLullShims
import Glibc
import LullWire

/// The worker's end of the socket to its host. Any thread may send; only one at a time receives.
///
/// It ties the worker to its host: when the host is gone the worker kills its process group, and when the plugin has
/// closed the socket the worker ends with the status that says so.
enum ControlSocket {
    /// Makes the inherited socket the worker's own. False when there is none: somebody ran the worker by
    /// hand.
    static func adopt() -> Bool {
        guard fcntl(Wire.descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return false }
        return lull_limit_sends(Wire.descriptor, 1000) == 0
    }

    /// Sends a frame; false when the host did not take it within a second. `mustArrive`: as long as it takes.
    @discardableResult
    static func send(_ frame: WorkerFrame, mustArrive: Bool = true) -> Bool {
        if OwnProcess.isForked { return false }
        let bytes = frame.encoded()
        while true {
            let sent = lull_send(Wire.descriptor, bytes, bytes.count, 1)
            if sent >= 0 { return true }
            guard sent == -Int(EAGAIN) || sent == -Int(ENOBUFS) else { leave(after: Int32(-sent)) }
            if !mustArrive { return false }
        }
    }

    /// The one frame that a forked child sends. If there is no room for it, it is dropped.
    static func sendFromChild(_ frame: WorkerFrame) {
        let bytes = frame.encoded()
        _ = lull_send(Wire.descriptor, bytes, bytes.count, 1)
    }

    /// The next frame into `buffer`; its length, or nil when none came within `milliseconds` (negative:
    /// waits).
    static func receive(into buffer: UnsafeMutableRawBufferPointer, milliseconds: Int32 = -1) -> Int? {
        OwnProcess.endIfForked(0, "a call of the worker's")
        if milliseconds >= 0, lull_wait_readable(Wire.descriptor, milliseconds) == 0 { return nil }
        let length = lull_receive(Wire.descriptor, buffer.baseAddress, buffer.count, 1)
        if length > 0 { return length }
        leave(after: length == 0 ? EPIPE : Int32(-length))
    }

    /// The host is gone, or the plugin has closed the socket.
    private static func leave(after code: Int32) -> Never {
        // A plugin that has only shut down what it writes leaves the host's end as it was.
        let isHostThere = code == EPIPE && lull_is_hung_up(Wire.descriptor) == 0
        if isHostThere || code == EBADF || code == ENOTSOCK || code == ENOTCONN {
            _exit(Wire.closedSocketStatus)
        }
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }
}
