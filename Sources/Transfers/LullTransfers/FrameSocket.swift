private import CLullShims
private import Glibc
internal import LullModel
public import LullSystem

/// One end of the socket between host and `lull-transfer`, on a loop: whole frames, and sending never waits.
///
/// Frames that the other side does not take at once are queued, in order. The descriptor belongs to this value.
public final class FrameSocket {
    private let descriptor: Int32
    private let loop: EventLoop
    private let receive: (ArraySlice<UInt8>) -> Void
    private let ended: () -> Void
    private var queue: [[UInt8]] = []
    /// How many frames of the queue are sent already.
    private var sentCount = 0
    private var isOpen = true
    private var buffer = [UInt8](repeating: 0, count: Limits.frameBytes)

    /// Calls `receive` for each frame, then `ended` once: the other side is gone. After `close` neither comes.
    public init(
        _ descriptor: Int32, on loop: EventLoop, receive: @escaping (ArraySlice<UInt8>) -> Void,
        ended: @escaping () -> Void
    ) throws(LoopError) {
        self.descriptor = descriptor
        self.loop = loop
        self.receive = receive
        self.ended = ended
        try watch()
    }

    deinit { close() }

    /// Frames wait for the other side: a frame that is not needed should not be sent.
    public var isCongested: Bool { sentCount < queue.count }

    public func send(_ frame: [UInt8]) {
        guard isOpen else { return }
        guard !isCongested, put(frame) else {
            queue.append(frame)
            // If this fails, the old watch stays: the queue is sent when the next frame comes in.
            try? watch()
            return
        }
    }

    public func close() {
        guard isOpen else { return }
        isOpen = false
        loop.forget(descriptor)
        Glibc.close(descriptor)
    }

    /// Receives what is there; for after the other side's end, when no event may come any more.
    public func drain() { while isOpen, receiveOne() {} }

    private func watch() throws(LoopError) {
        try loop.watch(descriptor, isCongested ? [.readable, .writable] : .readable) {
            [weak self] interest in
            guard let self else { return }
            if isOpen, isCongested { sendQueue() }
            guard isOpen, !interest.isDisjoint(with: [.readable, .hangup]) else { return }
            // A bounded number a round, so that a flood does not keep the loop from everything else.
            for _ in 0..<64 where isOpen { guard receiveOne() else { return } }
        }
    }

    private func sendQueue() {
        while isCongested, put(queue[sentCount]) { sentCount += 1 }
        guard !isCongested else { return }
        (queue, sentCount) = ([], 0)
        try? watch()
    }

    /// False: there is no room for it. A frame to a side that is gone counts as sent.
    private func put(_ frame: [UInt8]) -> Bool {
        let sent = lull_send(descriptor, frame, frame.count, 0)
        return sent != -Int(EAGAIN) && sent != -Int(ENOBUFS)
    }

    /// False: nothing is there.
    private func receiveOne() -> Bool {
        let length = lull_receive(descriptor, &buffer, buffer.count, 0)
        if length > 0 {
            // A frame that is too long counts as one that means nothing.
            receive(length <= buffer.count ? buffer[..<length] : [])
            return true
        }
        if length == -Int(EAGAIN) { return false }
        if length == -Int(EPROTO) { return true }
        close()
        ended()
        return false
    }
}
