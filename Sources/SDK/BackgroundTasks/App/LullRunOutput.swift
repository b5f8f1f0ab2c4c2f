import Glibc

/// The output of one run, for an app whose runs start programs. Bytes written here are kept with that run alone; what the
/// process writes to its own standard output is kept with every open run.
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
    /// Bytes of a run that has ended are dropped. With an older host, which can't tell runs apart, they go to the process's own
    /// stream.
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
    /// The output of this run.
    public var runOutput: LullRunOutput { LullRunOutput(run: run) }
}
