import CLullShims
import Foundation
import LullSystem

/// One client of the control socket, on the loop's thread.
///
/// It may cost one request, one answer and a little more: while it waits for an answer, or does not read one, no more
/// than that is read from it. Only an import may be long, and goes to disk as it comes.
final class ControlConnection {
    enum Doing: Equatable {
        /// Has asked nothing since the last answer.
        case resting
        /// Has sent a part of a request.
        case asking
        /// Has sent a part of an import, and waits for another import to end.
        case queueing
        /// Is owed an answer.
        case waiting
        /// Has an answer of so many bytes to read.
        case reading(Int)
    }

    /// What its server provides for all connections.
    struct Surroundings {
        var limits = ControlLimits()
        /// Nil: another import is under way.
        var spool: (ControlConnection, Int) throws(ControlError) -> ImportSpool? = {
            (_, _) throws(ControlError) in nil
        }
        /// Called when `doing` has changed.
        var changed: (ControlConnection) -> Void = { _ in }
        var ended: (ControlConnection) -> Void = { _ in }
    }

    let peer: ControlPeer?
    private let descriptor: Int32
    private let loop: EventLoop
    private let handler: ControlServer.Handler
    private let surroundings: Surroundings
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var spool: ImportSpool?
    private var isQueueing = false
    private var isAnswering = false
    private var isServing = false
    private var isOpen = true
    private(set) var doing = Doing.resting
    /// How many bytes that a client writes ahead of its answers are kept; the rest stays in its socket.
    private static let aheadBytes = 64 << 10

    init(
        descriptor: Int32, peer: ControlPeer? = nil, loop: EventLoop,
        _ surroundings: Surroundings = Surroundings(),
        handler: @escaping ControlServer.Handler
    ) {
        self.descriptor = descriptor
        self.peer = peer
        self.loop = loop
        self.surroundings = surroundings
        self.handler = handler
    }

    /// The next request waits for the answer to this one, and for that to be read.
    private var isBusy: Bool { isAnswering || !outgoing.isEmpty }
    private var isFull: Bool { isQueueing || isBusy && incoming.count >= Self.aheadBytes }

    deinit {
        if isOpen { lull_close_foreign(descriptor) }
    }

    /// False when the loop can take no more descriptors; the connection is then closed.
    func begin() -> Bool {
        do {
            try loop.watch(descriptor, .readable) { [weak self] in self?.ready($0) }
            return true
        } catch {
            isOpen = false
            lull_close_foreign(descriptor)
            return false
        }
    }

    /// Closes it, with a sentence if that can still be sent.
    func leave(_ sentence: String? = nil) {
        if let sentence, outgoing.isEmpty { refuse(sentence) }
        end()
    }

    /// Begins an import that had to wait.
    func goOn() {
        guard isQueueing else { return }
        isQueueing = false
        next()
        listen()
    }

    private func note() {
        let now: Doing =
            if isAnswering {
                .waiting
            } else if !outgoing.isEmpty {
                .reading(outgoing.count)
            } else if isQueueing {
                .queueing
            } else {
                incoming.isEmpty && spool == nil ? .resting : .asking
            }
        guard isOpen, now != doing else { return }
        doing = now
        surroundings.changed(self)
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
        let count = lull_receive_alone(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            if count != -Int(EAGAIN) { end() }
            return
        }
        incoming.append(contentsOf: chunk[..<count])
        next()
        if isFull { listen() }
        note()
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
        do throws(ControlError) {
            guard let body = try body() else { return false }
            let asked = try ControlFrame.question(body)
            guard peer?.isReader != true || type(of: asked.question).isRead else {
                refuse("This user may read and change nothing: only root and the user of the host may.")
                return true
            }
            isAnswering = true
            note()
            handler(
                PutQuestion(
                    question: asked.question,
                    asker: type(of: asked.question).isAct ? peer.map { Asker($0, asked.bearer) } : nil,
                    back: WayBack(asked.form) { [weak self] frame in
                        self?.isAnswering = false
                        self?.send(frame)
                    }))
        } catch {
            refuse(error.message)
            // The next question may be one that is known.
            guard case .unknownQuestion = error else {
                end()
                return true
            }
        }
        return true
    }

    /// The next request, once all of it has come.
    private func body() throws(ControlError) -> Data? {
        if spool == nil {
            guard let length = ControlFrame.length(incoming) else { return nil }
            guard length > surroundings.limits.request else { return try ControlFrame.take(from: &incoming) }
            guard length <= surroundings.limits.importing else { throw .frameTooLong(length) }
            guard peer?.isReader != true else {
                throw .requestTooLong(length, limit: surroundings.limits.request)
            }
            let known = incoming[4...].prefix(ControlFrame.importMark.count)
            guard known.count == ControlFrame.importMark.count else { return nil }
            guard known.elementsEqual(ControlFrame.importMark) else {
                if let version = ControlFrame.version(head: known), version != ControlFrame.version {
                    throw .clientSpeaks(version)
                }
                throw .requestTooLong(length, limit: surroundings.limits.request)
            }
            spool = try surroundings.spool(self, length)
            isQueueing = spool == nil
            guard spool != nil else { return nil }
            incoming.removeFirst(4)
        }
        guard let spool else { return nil }
        guard spool.take(from: &incoming) else { throw .system(operation: "keep the import", code: errno) }
        guard spool.missing == 0 else { return nil }
        self.spool = nil
        guard let content = spool.content() else { throw .system(operation: "read the import", code: errno) }
        return content
    }

    private func refuse(_ sentence: String) {
        send(ControlFrame.encode(Result<OrderAnswer, _>.refused(sentence)))
    }

    private func send(_ frame: [UInt8]) {
        guard isOpen else { return }
        outgoing.append(contentsOf: frame)
        flush()
    }

    private func flush() {
        while isOpen, !outgoing.isEmpty {
            let count = Foundation.send(descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL))
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
        note()
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
        spool = nil
        loop.forget(descriptor)
        lull_close_foreign(descriptor)
        surroundings.ended(self)
    }
}
