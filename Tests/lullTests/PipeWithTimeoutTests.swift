import Foundation
import Glibc
import Testing

@testable import lull

/// A log whose reader has stopped blocks no writer.
struct PipeWithTimeoutTests {
    /// A pipe that nobody reads, filled to the brim.
    private func fullPipe() -> Pipe {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let bytes = [UInt8](repeating: 0x2E, count: 4096)
        while write(descriptor, bytes, bytes.count) > 0 {}
        _ = fcntl(descriptor, F_SETFL, flags)
        return pipe
    }

    private func drained(_ pipe: Pipe) -> String {
        try? pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return String(text.drop { $0 == "." })
    }

    @Test func `what nobody takes is left out and counted, and the log goes on`() {
        let pipe = fullPipe()
        let log = PipeWithTimeout(pipe.fileHandleForWriting.fileDescriptor, longestWait: .zero)
        for number in 0..<3 { log.write("lost \(number)") }
        _ = pipe.fileHandleForReading.readData(ofLength: 32768)
        log.write("back")
        log.write("again")
        #expect(drained(pipe) == "3 lines are left out here: the reader was too slow.\nback\nagain\n")
    }

    @Test func `lines of one moment are written together, and each that is lost is counted`() {
        let pipe = fullPipe()
        let log = PipeWithTimeout(pipe.fileHandleForWriting.fileDescriptor, longestWait: .zero)
        let lines = (0..<300).map { "line \($0) of many" }
        log.together { for line in lines { log.write(line) } }
        _ = pipe.fileHandleForReading.readData(ofLength: 32768)
        log.together { for line in lines { log.write(line) } }
        #expect(
            drained(pipe) == "300 lines are left out here: the reader was too slow.\n"
                + lines.joined(separator: "\n") + "\n")
    }

    @Test func `a long line is written whole`() {
        let pipe = Pipe()
        let log = PipeWithTimeout(pipe.fileHandleForWriting.fileDescriptor, longestWait: .zero)
        let line = String(repeating: "a long line, ", count: 1000)
        log.write(line)
        #expect(drained(pipe) == line + "\n")
    }
}
