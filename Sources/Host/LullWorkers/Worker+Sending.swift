private import CLullShims
private import Glibc
import LullModel
import LullSystem
import LullWire

/// Sends to the worker: at once when there is room, else later and in order.
extension Worker {
    func send(_ frame: HostFrame) {
        guard speaks else { return }
        let bytes = frame.encoded(reusing: scratch)
        if outgoing.isEmpty {
            let sent = lull_send(socket, bytes, bytes.count, 0)
            if sent >= 0 {
                scratch = bytes
                return
            }
            guard isFull(sent) else { return }
            watchSocket(.writable)
        }
        outgoing.append(bytes)
        outgoingBytes += bytes.count
        // Before it is ready the worker is sent the app's whole entry in the manifest, which has a limit of its own.
        if session.isReady, outgoingBytes > WorkerPool.queueBytes {
            violate("It does not read what the host sends.")
        }
    }

    func flush() {
        var sent = 0
        while sent < outgoing.count {
            let bytes = outgoing[sent]
            let result = lull_send(socket, bytes, bytes.count, 0)
            if isFull(result) { break }
            sent += 1
            outgoingBytes -= bytes.count
        }
        outgoing.removeFirst(sent)
        guard outgoing.isEmpty else { return }
        watchSocket([])
        tellUntoldTransfers()
    }

    /// Anything else that fails is the socket's end, which its reading side learns of.
    private func isFull(_ result: Int) -> Bool { result == -Int(EAGAIN) || result == -Int(ENOBUFS) }

    func closeSocket() {
        guard socket >= 0 else { return }
        loop.forget(socket)
        lull_close_foreign(socket)
        socket = -1
        session.close()
        outgoing = []
        outgoingBytes = 0
    }
}
