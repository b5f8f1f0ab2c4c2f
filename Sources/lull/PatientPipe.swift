import Glibc
import LullModel
import Synchronization

/// A pipe or terminal whose reader may stop reading: whoever logs waits for it once, for a second, and not for ever.
///
/// A terminal that was stopped with Ctrl-S, or a pager on an old page, would otherwise stop the host. What could not be
/// written is counted, and the count is written as soon as anything can be.
final class PatientPipe: Sendable {
    static let standardError = PatientPipe(STDERR_FILENO)
    /// As much as a pipe takes that is said to be writable.
    private static let portion = 4096

    private let descriptor: Int32
    private let longestWait: Int32
    /// Lines that were left out since the last that was written.
    private let lost = Mutex(0)

    init(_ descriptor: Int32, longestWait: Duration = .seconds(1)) {
        self.descriptor = descriptor
        self.longestWait = Int32(clamping: longestWait.milliseconds)
    }

    func write(_ line: String) {
        lost.withLock { lost in
            if lost > 0 {
                let lines = lost == 1 ? "line is" : "lines are"
                guard put("\(lost) \(lines) left out here: nobody took them.\n", wait: 0) else {
                    lost += 1
                    return
                }
                lost = 0
            }
            if !put(line + "\n", wait: longestWait) { lost += 1 }
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
