import Glibc

/// What one run prints, for an app whose runs have programs of their own to start: bytes that go through here are kept
/// with that run, where what stands on the process's own standard output is kept with every run that is open.
///
/// ```swift
/// let output = task.runOutput
/// // Read from a pipe that the program was given as its standard output:
/// output.write(bytes)
/// ```
public struct LullRunOutput: Sendable {
    /// Which of a program's two streams.
    public enum Stream: Sendable {
        /// Standard output.
        case output
        /// Standard error.
        case error
    }

    let run: Run

    /// Keeps the bytes with the run as they are, and waits while the host is busy.
    ///
    /// Of a run that has ended nothing is kept. Where the host can't tell runs apart, since it is of an older version,
    /// they go to the process's own stream.
    public func write(_ bytes: UnsafeRawBufferPointer, to stream: Stream = .output) {
        if !run.print(bytes, to: stream) { Self.print(bytes, to: stream) }
    }

    /// Keeps a text with the run, in UTF-8.
    public func write(_ text: String, to stream: Stream = .output) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: stream) }
    }

    private static func print(_ bytes: UnsafeRawBufferPointer, to stream: Stream) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                stream == .output ? STDOUT_FILENO : STDERR_FILENO,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension BGTask {
    /// What this run prints, on its own.
    public var runOutput: LullRunOutput { LullRunOutput(run: run) }
}
