import Foundation
import Glibc

/// Takes what a command prints from pipes of its own, so that it is known whose it is.
///
/// A thread reads both until nobody holds them any more. What is in them when the command has ended is the command's. What
/// comes later is said by a process that has left its group, and goes on: the run does not wait for it, nor is it
/// ended by a pipe that nobody reads.
public enum OutputRelay {
    public enum Stream: Sendable { case output, error }
    /// Called on one thread, in the order in which a stream was written.
    public typealias Sink = @Sendable (Stream, UnsafeRawBufferPointer) -> Void

    /// Hands `sink` all that is printed on the two descriptors, standard output and error, before it returns.
    public static func run<Result: Sendable>(
        _ command: @Sendable (_ standardOutput: Int32, _ standardError: Int32) async throws -> Result,
        to sink: @escaping Sink, late: @escaping Sink = OutputRelay.print
    ) async throws -> Result {
        let pipes = try RelayPipes()
        let end = RelayEnd()
        Thread.detachNewThread {
            var pump = RelayPump(pipes, sink: sink)
            pump.runUntilBell()
            end.reached()
            pump.runToEnd(late)
        }
        do {
            let result = try await command(pipes.output.writer, pipes.error.writer)
            pipes.closeWriters()
            await end.wait()
            return result
        } catch {
            pipes.closeWriters()
            await end.wait()
            throw error
        }
    }

    /// To the process's own streams.
    public static let print: Sink = { stream, bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(
                stream == .output ? STDOUT_FILENO : STDERR_FILENO,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Reached once, and waited for by one.
private final class RelayEnd: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func reached() { continuation.finish() }

    /// Detached, since a cancelled task would not wait.
    func wait() async {
        let stream = stream
        await Task.detached { for await _ in stream {} }.value
    }
}

/// Two pipes for what is printed, and a third whose end says that the command is over.
private struct RelayPipes: Sendable {
    struct Ends: Sendable {
        var reader: Int32
        var writer: Int32
    }
    let output: Ends
    let error: Ends
    let bell: Ends

    init() throws(CommandError) {
        var made: [Ends] = []
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let reason = String(cString: strerror(errno))
                for pipe in made { [pipe.reader, pipe.writer].forEach { _ = close($0) } }
                throw .noPipe(reason: reason)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            made.append(Ends(reader: ends[0], writer: ends[1]))
        }
        (output, error, bell) = (made[0], made[1], made[2])
    }

    func closeWriters() {
        for pipe in [output, error, bell] { close(pipe.writer) }
    }
}

/// Reads both pipes on a thread of its own.
private struct RelayPump {
    private var readers: [(stream: OutputRelay.Stream, descriptor: Int32)]
    /// What a pipe holds at most, unless somebody with the rights to has made it larger.
    private static let room = 1 << 20
    private let bell: Int32
    private var sink: OutputRelay.Sink
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init(_ pipes: RelayPipes, sink: @escaping OutputRelay.Sink) {
        readers = [(.output, pipes.output.reader), (.error, pipes.error.reader)]
        bell = pipes.bell.reader
        self.sink = sink
    }

    /// Until the command is over, and all that it printed is handed on.
    mutating func runUntilBell() {
        while true {
            var watched = (readers.map(\.descriptor) + [bell]).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
            if watched[watched.count - 1].revents != 0 { break }
            readOnce(from: watched)
        }
        close(bell)
        // All that a pipe can hold, and no more: who has left the group may print for ever.
        for (stream, descriptor) in readers {
            var room = Self.room
            while room > 0, case let count = take(stream, descriptor), count > 0 { room -= count }
        }
    }

    /// Until nobody holds the pipes any more.
    mutating func runToEnd(_ late: @escaping OutputRelay.Sink) {
        sink = late
        while !readers.isEmpty {
            var watched = readers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
            readOnce(from: watched)
        }
    }

    private mutating func readOnce(from watched: [pollfd]) {
        for (stream, descriptor) in readers {
            guard watched.contains(where: { $0.fd == descriptor && $0.revents != 0 }),
                take(stream, descriptor) == 0
            else { continue }
            close(descriptor)
            readers.removeAll { $0.descriptor == descriptor }
        }
    }

    /// How many bytes were read and handed on: 0 at the end, less where there are none now.
    private mutating func take(_ stream: OutputRelay.Stream, _ descriptor: Int32) -> Int {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 {
            buffer.withUnsafeBytes { sink(stream, UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return count
    }
}
