import CLullShims
import LullModel
import LullWire
import Synchronization

/// The frames from the host, received by the control thread alone.
///
/// A host function that waits may be called on that very thread, from inside `launch` or an expiration handler. It then
/// reads on until its answer is there, and other frames that come meanwhile are kept, in order, for afterwards.
// Sendable: `thread` is atomic. The bytes of `buffer`, and `kept`, are touched by `next` and `pump` alone: the control thread's
// own loop is the one caller of `next`, and each caller of `pump` has checked `isOnItsThread` just before.
final class Inbox: @unchecked Sendable {
    private let thread = Atomic<UInt64>(0)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.frameBytes, alignment: 8)
    private var kept: [HostFrame] = []

    func becomeThread() { thread.store(lull_thread(), ordering: .releasing) }
    var isOnItsThread: Bool { thread.load(ordering: .acquiring) == lull_thread() }

    /// The next frame that is not an answer.
    func next(_ session: Session) -> HostFrame {
        if !kept.isEmpty { return kept.removeFirst() }
        while true {
            if let frame = receive(session, milliseconds: -1) { return frame }
        }
    }

    func pump(_ session: Session, until deadline: Int64, isDone: () -> Bool) {
        while !isDone() {
            let left = deadline - monotonicNanoseconds()
            guard left > 0 else { return }
            if let frame = receive(session, milliseconds: Int32(left / 1_000_000 + 1)) { kept.append(frame) }
        }
    }

    /// Hands an answer to the call that waits for it; returns any other frame.
    private func receive(_ session: Session, milliseconds: Int32) -> HostFrame? {
        guard let length = ControlSocket.receive(into: buffer, milliseconds: milliseconds) else { return nil }
        switch Self.decode(buffer, length) {
        case .submitReply(let sequence, let status, let sentence):
            session.calls.answer(sequence, .verdict(status: status, sentence: sentence))
        case .cancelReply(let sequence):
            session.calls.answer(sequence, .done)
        case .pendingReply(let sequence, let requests, let isLast):
            if isLast {
                session.calls.answer(sequence, .pending(requests))
            } else {
                session.calls.add(requests, to: sequence)
            }
        case .notificationsReply(let sequence, let notifications, let isLast):
            if isLast {
                session.calls.answer(sequence, .notifications(notifications))
            } else {
                session.calls.add(notifications, to: sequence)
            }
        case .transferReply(let sequence, let status, let sentence, let transfer):
            session.calls.answer(
                sequence, .transferred(status: status, sentence: sentence, transfer: transfer))
        case .transfersReply(let sequence, let next, let states, let isLast):
            session.calls.answer(sequence, .transfers(next: next, states: states, isLast: isLast))
        case let frame: return frame
        }
        return nil
    }

    /// A frame of the host's that makes no sense ends the worker: the two are not of one build.
    static func decode(_ buffer: UnsafeMutableRawBufferPointer, _ length: Int) -> HostFrame {
        do throws(WireError) {
            guard length <= buffer.count else { throw .tooLong(bytes: length) }
            return try HostFrame(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        } catch {
            refuse(
                .wire,
                "The worker got \(error.message) from its host. Install lull and lull-worker of one version.")
        }
    }
}
