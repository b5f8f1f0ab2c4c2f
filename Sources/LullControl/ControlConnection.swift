import Foundation
import LullLoop

/// One client of the control socket, on the loop's thread.
///
/// What it may cost is one request, one answer and a little more: while it waits for an answer, or does not read one, no
/// more than that is taken from it.
final class ControlConnection {
    private let descriptor: Int32
    private let loop: EventLoop
    private let handler: ControlServer.Handler
    private let onEnd: () -> Void
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var isAnswering = false
    private var isServing = false
    private var isOpen = true
    /// So much of what a client writes ahead of its answers is kept; the rest stays in its socket.
    private static let aheadBytes = 64 << 10

    init(
        descriptor: Int32, loop: EventLoop, handler: @escaping ControlServer.Handler,
        onEnd: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.handler = handler
        self.onEnd = onEnd
    }

    /// The next request waits for the answer to this one, and for that to be read.
    private var isBusy: Bool { isAnswering || !outgoing.isEmpty }
    private var isFull: Bool { isBusy && incoming.count >= Self.aheadBytes }

    deinit {
        if isOpen { close(descriptor) }
    }

    /// False when the loop can take no more descriptors; the connection is then closed.
    func begin() -> Bool {
        do {
            try loop.watch(descriptor, .readable) { [weak self] in self?.ready($0) }
            return true
        } catch {
            isOpen = false
            close(descriptor)
            return false
        }
    }

    private func ready(_ interest: EventLoop.Interest) {
        if interest.contains(.writable) { flush() }
        guard isOpen, interest.contains(.readable) || interest.contains(.hangup) else { return }
        if isFull {
            // Nobody is left to answer.
            if interest.contains(.hangup) { end() }
            return
        }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { end() }
            return
        }
        incoming.append(contentsOf: chunk[..<count])
        next()
        if isFull { listen() }
    }

    /// Takes up the requests that are there, each once the one before has been answered and its answer read.
    private func next() {
        // An answer that comes at once leads here again: the loop goes on instead, for there may be many.
        guard !isServing else { return }
        isServing = true
        defer { isServing = false }
        while isOpen, !isBusy, serve() {}
    }

    /// Takes up one request; false when there is none yet.
    private func serve() -> Bool {
        do {
            guard let body = try ControlFrame.take(from: &incoming) else { return false }
            let envelope = try JSONDecoder().decode(ControlEnvelope.self, from: body)
            guard envelope.version == ControlEnvelope.version else {
                answer(
                    .refused("This host speaks version 1 of the control protocol; use the `lull` beside it."))
                return true
            }
            isAnswering = true
            var isAnswered = false
            handler(envelope.request) { [weak self] response in
                guard !isAnswered else { return }
                isAnswered = true
                self?.isAnswering = false
                self?.answer(response)
            }
        } catch let error as ControlError {
            answer(.refused(error.message))
            end()
        } catch {
            answer(.refused("This is not a request of the control protocol: \(error)"))
            end()
        }
        return true
    }

    private func answer(_ response: ControlResponse) {
        guard isOpen else { return }
        do {
            outgoing.append(contentsOf: try ControlFrame.encode(response))
        } catch {
            return end()
        }
        flush()
    }

    private func flush() {
        while isOpen, !outgoing.isEmpty {
            let count = send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                outgoing.removeFirst(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return end()
            }
        }
        listen()
        next()
    }

    private func listen() {
        guard isOpen else { return }
        var interest: EventLoop.Interest = []
        if !isFull { interest.insert(.readable) }
        if !outgoing.isEmpty { interest.insert(.writable) }
        do {
            try loop.watch(descriptor, interest) { [weak self] in self?.ready($0) }
        } catch {
            end()
        }
    }

    private func end() {
        guard isOpen else { return }
        isOpen = false
        loop.forget(descriptor)
        close(descriptor)
        onEnd()
    }
}
