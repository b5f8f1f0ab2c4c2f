import Foundation
import LullSystem
import Synchronization
import TestSupport
import Testing

@testable import lull

struct ProcessSignsTests {
    /// `cat` answers each question with itself.
    private func cat() throws -> (Process, FileHandle) {
        var ends: [Int32] = [-1, -1]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        (process.standardInput, process.standardOutput) = (other, other)
        try process.run()
        try other.close()
        return (process, FileHandle(fileDescriptor: ends[0], closeOnDealloc: true))
    }

    @Test func `a process that is stopped is ended, and one says why`() throws {
        let (process, channel) = try cat()
        let signs = ProcessSigns(channel: channel, interval: .milliseconds(20))
        kill(process.processIdentifier, SIGSTOP)
        #expect(signs.sentence == nil)
        signs.watch(process)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
        #expect(signs.sentence?.hasSuffix("so Lull ended it") == true)
    }

    @Test func `a process that hangs before its first line is ended, too`() throws {
        let (process, channel) = try cat()
        let signs = ProcessSigns(channel: channel, interval: .milliseconds(20))
        #expect(signs.firstLine(of: process).isEmpty)
        process.waitUntilExit()
        #expect(process.terminationStatus == SIGKILL && signs.sentence != nil)
    }

    @Test func `only questions in a row without an answer count`() {
        var signs = SignsOfLife()
        for _ in 0..<100 {
            #expect(signs.mayAsk() && signs.mayAsk() && !signs.mayAsk())
            signs.didAnswer()
        }
        #expect(signs.unanswered == 0)
        #expect(SignsOfLife.patience() == .seconds(60))
    }
}
