private import CLullShims
private import Glibc
import LullModel
import LullSystem
import LullWire

/// Reads from the worker: frames and the plugin's output, a bounded piece at a time.
extension Worker {
    /// Listens to the socket and both pipes, unless it is paused.
    func listen() throws(LoopError) {
        guard deadlines[.listen] == nil else { return }
        if speaks { try loop.watch(socket, socketInterest([])) { [unowned self] in socketReady($0) } }
        if output >= 0 { try loop.watch(output, .readable) { [unowned self] _ in readOutput(.output) } }
        if error >= 0 { try loop.watch(error, .readable) { [unowned self] _ in readOutput(.error) } }
    }

    /// Whether the other end of the socket is open.
    var speaks: Bool { socket >= 0 && !isSocketOver }

    func watchSocket(_ interest: EventLoop.Interest) {
        guard speaks else { return }
        try? loop.watch(socket, socketInterest(interest)) { [unowned self] in socketReady($0) }
    }

    private func socketInterest(_ wanted: EventLoop.Interest) -> EventLoop.Interest {
        var interest = wanted
        if deadlines[.listen] == nil { interest.insert(.readable) }
        if !outgoing.isEmpty { interest.insert(.writable) }
        return interest
    }

    private func socketReady(_ interest: EventLoop.Interest) {
        if interest.contains(.writable) { flush() }
        if interest.contains(.readable) || interest.contains(.hangup) { readFrames(atMost: 64) }
    }

    func readFrames(atMost limit: Int) {
        var count = 0
        while speaks, count < limit, deadlines[.listen] == nil || session.isEnding {
            let length = lull_receive(socket, pool.buffer.baseAddress, pool.buffer.count, 0)
            if length == -Int(EPROTO) { return violate("It passed open files to the host over its socket.") }
            if length < 0 {
                if length != -Int(EAGAIN) { socketEnded() }
                return
            }
            if length == 0, lull_is_hung_up(socket) != 0 { return socketEnded() }
            count += 1
            let bytes = UnsafeRawBufferPointer(rebasing: pool.buffer[..<min(length, pool.buffer.count)])
            perform(session.take(bytes, length: length, submits: &pool.submitCount))
            spend(length + Traffic.frameCost)
        }
    }

    /// The socket ends a moment before the process: only if the process lives on has the plugin closed it. Until that
    /// is clear the host's end stays open: a worker that finds it closed takes its host for dead.
    private func socketEnded() {
        isSocketOver = true
        loop.forget(socket)
        session.close()
        (outgoing, outgoingBytes) = ([], 0)
        setDeadline(.socketEnded, after: WorkerPool.timeout)
    }

    /// Reads one piece of a pipe; whether there may be more.
    @discardableResult
    func readOutput(_ stream: PrintedStream) -> Bool {
        let descriptor = stream == .output ? output : error
        guard descriptor >= 0 else { return false }
        let length = read(descriptor, pool.buffer.baseAddress, WorkerPool.outputPiece)
        if length > 0 {
            let bytes = [UInt8](UnsafeRawBufferPointer(rebasing: pool.buffer[..<length]))
            lastLine.append(bytes, stream)
            if session.isStarting { startOutput.append(bytes) }
            pool.emit(.output(stream, bytes), of: id)
            spend(length)
            return length == WorkerPool.outputPiece
        }
        if length < 0, errno == EAGAIN || errno == EINTR { return false }
        closeOutput(stream)
        return false
    }

    /// Reads what has been printed until now, at most about `limit` bytes of each stream.
    func drainOutput(atMost limit: Int) {
        for stream in [PrintedStream.output, .error] {
            var pieces = 0
            while pieces * WorkerPool.outputPiece < limit, readOutput(stream) { pieces += 1 }
        }
    }

    func closeOutput(_ stream: PrintedStream) {
        let descriptor = stream == .output ? output : error
        guard descriptor >= 0 else { return }
        loop.forget(descriptor)
        close(descriptor)
        if stream == .output { output = -1 } else { error = -1 }
    }

    /// Gives the run its next credit after a while, so that a flood is slowed down.
    func letPrint(_ run: UInt64) {
        heldRuns.insert(run)
        if deadlines[.printOn] == nil { setDeadline(.printOn, after: Traffic.span) }
    }

    func printOn() {
        for run in heldRuns where session.runs.contains(run) { send(.printOn(run: run)) }
        heldRuns = []
    }

    private func spend(_ bytes: Int) {
        guard let end = traffic.spend(bytes, now: { Clock.monotonic }), !session.isEnding else { return }
        deadlines[.listen] = end
        for descriptor in [output, error] where descriptor >= 0 { loop.forget(descriptor) }
        // Still watched for room to write, and for its end.
        watchSocket([])
        pool.armTimer()
    }
}
