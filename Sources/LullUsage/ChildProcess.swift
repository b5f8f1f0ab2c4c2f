private import CLullShims
private import Glibc
import LullLoop
import LullModel

/// A program whose output is read as it comes; it is ended with this value, and never left a zombie.
final class ChildProcess {
    private var pid: pid_t = 0
    private let output: Int32
    private let errors: Int32
    private var loop: EventLoop?

    /// An errno.
    struct Refusal: Error, Equatable { let code: Int32 }

    /// `program` is looked up in `PATH` unless it is a path.
    init(_ program: String, _ arguments: [String]) throws(Refusal) {
        var out: [Int32] = [-1, -1]
        var err: [Int32] = [-1, -1]
        var code = lull_output_pipe(&out)
        if code == 0 {
            code = lull_output_pipe(&err)
            if code != 0 { Self.close(out) }
        }
        guard code == 0 else { throw Refusal(code: code) }
        output = out[0]
        errors = err[0]
        code = Self.spawn(program, arguments, out[1], err[1], &pid)
        Glibc.close(out[1])
        Glibc.close(err[1])
        // What is set up by now is closed by `deinit`, also of a value that is never handed out.
        guard code == 0 else { throw Refusal(code: code) }
    }

    deinit {
        loop?.forget(output)
        if pid > 0 { _ = end() }
        Self.close([output, errors])
    }

    /// Hands over what is printed; `ended` comes once the output is at its end, with why if that was no good end.
    func listen(
        on loop: EventLoop, output receive: @escaping (ArraySlice<UInt8>) -> Void,
        ended: @escaping (String?) -> Void
    ) throws(LoopError) {
        self.loop = loop
        try loop.watch(output, .readable) { [unowned self] _ in
            // One portion a round, so that a flood does not keep the loop from everything else.
            guard let bytes = Self.read(output) else { return }
            guard bytes.isEmpty else { return receive(bytes[...]) }
            loop.forget(output)
            ended(end())
        }
    }

    /// Reads until the output ends, and returns why if that was no good end; or until `limit` has passed.
    func readAll(within limit: Duration, _ receive: (ArraySlice<UInt8>) -> Void) -> String? {
        let deadline = Clock.monotonic + limit
        while true {
            let left = (deadline - Clock.monotonic).milliseconds
            guard left > 0, lull_wait_readable(output, Int32(clamping: left)) != 0 else {
                _ = end()
                return nil
            }
            guard let bytes = Self.read(output) else { continue }
            guard !bytes.isEmpty else { return end() }
            receive(bytes[...])
        }
    }

    /// Why it ended badly: its last words, or what became of it; nil: it ended well.
    private func end() -> String? {
        // What has closed its output has nothing more to say, and what is exiting can't be killed any more.
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        pid = 0
        guard status != 0 else { return nil }
        let said = String(decoding: (Self.read(errors) ?? []).prefix(300), as: UTF8.self)
        if let line = said.split(separator: "\n").last { return String(line) }
        let signal = status & 0x7F
        return signal == 0 ? "it exited with \(status >> 8 & 0xFF)." : "signal \(signal) ended it."
    }

    /// Nil: nothing is there yet; empty: the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var count = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: 128 << 10) { buffer, initialized in
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            initialized = max(count, 0)
        }
        return count < 0 ? nil : bytes
    }

    private static func close(_ descriptors: [Int32]) {
        for descriptor in descriptors where descriptor >= 0 { Glibc.close(descriptor) }
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ output: Int32, _ errors: Int32, _ pid: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The host blocks the signals that it reads from a descriptor; its child must hear them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = ["PATH", "HOME", "TZ"].compactMap { name in
            getenv(name).flatMap { strdup(name + "=" + String(cString: $0)) }
        }
        environment += [strdup("LC_ALL=C.UTF-8"), nil]
        defer { for variable in environment { free(variable) } }
        return posix_spawnp(&pid, program, &actions, &attributes, &words, &environment)
    }
}
