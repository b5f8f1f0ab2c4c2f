import Dispatch
import Foundation
import Glibc
import LullModel
import LullSystem
import Synchronization

/// Ends a process that no longer answers on its socket: a byte asks, a byte answers.
final class ProcessSigns: Sendable {
    private let channel: FileHandle
    private let interval: Duration
    private let hung = Mutex(false)

    init(channel: FileHandle, interval: Duration = SignsOfLife.interval) {
        self.channel = channel
        self.interval = interval
    }

    /// What is said of a process that this has ended; nil: it has not.
    var sentence: String? {
        guard hung.withLock({ $0 }) else { return nil }
        let span = Phrase.span(SignsOfLife.patience(interval))
        return "its process did not answer for \(span), so Lull ended it"
    }

    /// Reads its first line. Shorter, or empty: it has ended, or hung.
    func firstLine(of process: Process) -> Data {
        var line = Data()
        var signs = SignsOfLife()
        while !line.contains(10) {
            var readable = pollfd(fd: channel.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&readable, 1, Int32(interval / .milliseconds(1))) == 0 {
                if !signs.mayAsk() { end(process) }
                continue
            }
            let more = channel.availableData
            if more.isEmpty { break }
            line += more
        }
        return line
    }

    /// Asks at each interval, for as long as the process runs.
    func watch(_ process: Process, _ signs: SignsOfLife = SignsOfLife()) {
        let milliseconds = Int(interval / .milliseconds(1))
        // The dispatch clock stands still while the machine sleeps.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            guard process.isRunning else { return }
            var signs = signs
            var answers = [UInt8](repeating: 0, count: 64)
            if recv(self.channel.fileDescriptor, &answers, answers.count, Int32(MSG_DONTWAIT)) > 0 {
                signs.didAnswer()
            }
            guard signs.mayAsk() else { return self.end(process) }
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            send(self.channel.fileDescriptor, "\n", 1, flags)
            self.watch(process, signs)
        }
    }

    private func end(_ process: Process) {
        hung.withLock { $0 = true }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
