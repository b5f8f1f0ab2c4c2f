import Glibc
import LullModel
import Synchronization

/// A pipe or terminal whose reader may stop reading: a logger waits for it once, for a second, and not for ever.
///
/// A terminal that was stopped with Ctrl-S, or a pager on an old page, would otherwise stop the host. Lines that could
/// not be written are counted, and the count is written as soon as the reader goes on.
final class PipeWithTimeout: Sendable {
    static let standardError = PipeWithTimeout(STDERR_FILENO)
    /// The most bytes that a pipe surely takes when it is said to be writable.
    private static let portion = 4096

    private let descriptor: Int32
    private let longestWait: Int32
    private struct State {
        /// Lines that were left out since the last that was written.
        var lost = 0
        /// Lines that are to be written together; nil: each by itself.
        var held: [String]?
    }
    private let state = Mutex(State())

    init(_ descriptor: Int32, longestWait: Duration = .seconds(1)) {
        self.descriptor = descriptor
        self.longestWait = Int32(clamping: longestWait.milliseconds)
    }

    func write(_ line: String) {
        state.withLock { state in
            if state.held?.append(line) == nil { write([line], &state) }
        }
    }

    /// Writes the lines of `body` at its end, as many at once as fit.
    func together(_ body: () -> Void) {
        state.withLock { $0.held = [] }
        body()
        state.withLock { state in
            let lines = state.held ?? []
            state.held = nil
            write(lines, &state)
        }
    }

    private func write(_ lines: [String], _ state: inout State) {
        if state.lost > 0 {
            let words = state.lost == 1 ? "line is" : "lines are"
            guard put("\(state.lost) \(words) left out here: the reader was too slow.\n", wait: 0) else {
                state.lost += lines.count
                return
            }
            state.lost = 0
        }
        var rest = lines[...]
        while let first = rest.popFirst() {
            var text = first + "\n"
            var count = 1
            while let next = rest.first, text.utf8.count + next.utf8.count < Self.portion {
                text += next + "\n"
                rest.removeFirst()
                count += 1
            }
            if !put(text, wait: state.lost == 0 ? longestWait : 0) { state.lost += count }
        }
    }

    /// False: some of it could not be written.
    private func put(_ text: String, wait: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let count = Glibc.poll(&poll, 1, wait)
            if count < 0, errno == EINTR { continue }
            guard count > 0, poll.revents & Int16(POLLOUT) != 0 else { return false }
            let written = rest.prefix(Self.portion).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
