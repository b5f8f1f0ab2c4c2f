import Foundation
import LullLoop

/// One client of the control socket, on the loop's thread.
final class ControlConnection {
    private let descriptor: Int32
    private let loop: EventLoop
    private let handler: ControlServer.Handler
    private let onEnd: () -> Void
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var isAnswering = false
    private var isOpen = true

    init(
        descriptor: Int32, loop: EventLoop, handler: @escaping ControlServer.Handler,
        onEnd: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.handler = handler
        self.onEnd = onEnd
    }

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
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { end() }
            return
        }
        incoming.append(contentsOf: chunk[..<count])
        next()
    }

    /// Takes up the next request, once the one before has been answered.
    private func next() {
        guard isOpen, !isAnswering else { return }
        do {
            guard let body = try ControlFrame.take(from: &incoming) else { return }
            let envelope = try JSONDecoder().decode(ControlEnvelope.self, from: body)
            guard envelope.version == ControlEnvelope.version else {
                return answer(
                    .refused("This host speaks version 1 of the control protocol; use the `lull` beside it."))
            }
            isAnswering = true
            var isAnswered = false
            handler(envelope.request) { [weak self] response in
                guard !isAnswered else { return }
                isAnswered = true
                self?.isAnswering = false
                self?.answer(response)
                self?.next()
            }
        } catch let error as ControlError {
            answer(.refused(error.message))
            end()
        } catch {
            answer(.refused("This is not a request of the control protocol: \(error)"))
            end()
        }
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
        guard isOpen else { return }
        do {
            try loop.watch(descriptor, outgoing.isEmpty ? .readable : [.readable, .writable]) { [weak self] in
                self?.ready($0)
            }
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
