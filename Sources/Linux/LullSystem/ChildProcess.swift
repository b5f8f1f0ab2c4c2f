private import CLullShims
private import Glibc
public import LullModel

/// A program that is run for its effect or its output; it is killed when this value is released, and never left a zombie.
///
/// It has a session of its own, so that its children end with it, default signals, and only the descriptors that it is
/// given. With a loop nothing blocks: its output and its end are events.
public final class ChildProcess {
    private var pid: pid_t = 0
    private var pidfd: Int32 = -1
    private var output: Int32 = -1
    private var errors: Int32 = -1
    /// The first and the last bytes that it wrote to standard error, `kept` bytes of each at most.
    private var complaints: [UInt8] = []
    private var lastComplaints: [UInt8] = []
    private static let kept = 4096
    private var loop: EventLoop?

    /// Why it could not be started: an errno.
    public struct Refusal: Error, Equatable { public let code: Int32 }

    /// How it ended, and the beginning of what it wrote to standard error.
    public struct Ending: Sendable {
        /// "it exited with 1", "signal 9 ended it"; nil: it ended well.
        public let trouble: String?
        public let complaints: [UInt8]
        /// The last line of that; of a very long one, its end.
        public let lastWords: String?
    }

    /// `words`: the program, looked up in `PATH` unless it is a path, and its arguments. `input` stays the caller's; without
    /// it, and for an output that is not read, there is /dev/null.
    public init(
        _ words: [String], environment: [String], input: Int32? = nil, readsOutput: Bool = true
    ) throws(Refusal) {
        var ends = (out: [Int32(-1), -1], err: [Int32(-1), -1])
        var code = readsOutput ? lull_output_pipe(&ends.out) : 0
        if code == 0 { code = lull_output_pipe(&ends.err) }
        (output, errors) = (ends.out[0], ends.err[0])
        if code == 0 {
            let words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
            code = lull_spawn_program(words, variables, [input ?? -1, ends.out[1], ends.err[1]], &pid)
            for text in words + variables { free(text) }
        }
        Self.close([ends.out[1], ends.err[1]])
        // `deinit` closes what is set up by now, also when this throws.
        guard code == 0 else { throw Refusal(code: code) }
    }

    /// The named variables of this process, and a locale in which programs print the same everywhere.
    public static func environment(of names: [String]) -> [String] {
        names.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } } + [
            "LC_ALL=C.UTF-8"
        ]
    }

    deinit { if pid > 0 { _ = end() } else { close() } }

    /// Passes its output to `receive`; `ended` is called once, when it has ended or has closed its output, and not
    /// after this value was released.
    public func listen(
        on loop: EventLoop, output receive: @escaping (ArraySlice<UInt8>) -> Void = { _ in },
        ended: @escaping (Ending) -> Void
    ) throws(LoopError) {
        self.loop = loop
        pidfd = lull_pidfd(pid)
        guard pidfd >= 0 else { throw LoopError(operation: "watch for a program's end", code: -pidfd) }
        if output >= 0 {
            try loop.watch(output, .readable) { [unowned self] _ in
                // One portion a round, so that a flood does not keep the loop from everything else.
                guard let bytes = Self.read(output) else { return }
                bytes.isEmpty ? ended(end()) : receive(bytes[...])
            }
        }
        try loop.watch(errors, .readable) { [unowned self] _ in hearComplaints() }
        try loop.watch(pidfd, .readable) { [weak self] _ in
            if let last = (self?.output).flatMap(Self.read), !last.isEmpty { receive(last[...]) }
            // `receive` may have released it, which has ended it.
            if let self { ended(end()) }
        }
    }

    /// Waits for the next portion of its output; empty at its end. Nil: `deadline` has come.
    public func read(until deadline: MonotonicTime? = nil) -> [UInt8]? {
        while true {
            let left = deadline.map { ($0 - Clock.monotonic).milliseconds }
            // Asked before each portion: a program that prints without end has one there each time.
            if let left, left <= 0 { return nil }
            var looks = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&looks, 2, left.map { Int32(clamping: $0) } ?? -1)
            if count > 0, looks[1].revents != 0 { hearComplaints() }
            if let bytes = Self.read(output) { return bytes }
        }
    }

    /// Kills it, unless it `mayFinish`, and waits until it has ended.
    ///
    /// A program that has closed its output prints nothing more, and one that is exiting can't be killed any more.
    public func end(mayFinish: Bool = false) -> Ending {
        if mayFinish { hearOut() } else { kill() }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        pid = 0
        hearComplaints()
        close()
        let signal = status & 0x7F
        let how = signal == 0 ? "it exited with \(status >> 8 & 0xFF)" : "signal \(signal) ended it"
        let lastLine = String(decoding: lastComplaints, as: UTF8.self).split(separator: "\n").last
        return Ending(
            trouble: status == 0 ? nil : how, complaints: complaints, lastWords: lastLine.map(String.init))
    }

    /// Kills it and what it has started; its end comes as any other.
    public func kill() { if pid > 0 { Glibc.kill(-pid, SIGKILL) } }

    /// Reads its standard error until it closes that or ends: while the pipe is full, it can't end.
    private func hearOut() {
        if pidfd < 0 { pidfd = lull_pidfd(pid) }
        while errors >= 0 {
            // A child that it has left behind may keep the pipe open; without pidfds the wait lasts until the pipe is closed.
            var looks = [errors, pidfd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&looks, 2, -1) > 0 else { continue }
            if looks[0].revents != 0 { hearComplaints() }
            if looks[1].revents != 0 { return }
        }
    }

    /// Reads its standard error, so that it never has to wait for the pipe.
    private func hearComplaints() {
        guard let bytes = Self.read(errors) else { return }
        complaints += bytes.prefix(Self.kept - min(Self.kept, complaints.count))
        lastComplaints = Array((lastComplaints + bytes).suffix(Self.kept))
        guard bytes.isEmpty else { return }
        loop?.forget(errors)
        Glibc.close(errors)
        errors = -1
    }

    private func close() {
        for descriptor in [pidfd, output, errors] where descriptor >= 0 { loop?.forget(descriptor) }
        Self.close([pidfd, output, errors])
        (pidfd, output, errors) = (-1, -1, -1)
    }

    private static func close(_ descriptors: [Int32]) {
        for descriptor in descriptors where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Nil: nothing is there yet; empty: the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var count = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: 128 << 10) { buffer, initialized in
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(count, 0)
        }
        return count < 0 ? nil : bytes
    }
}
