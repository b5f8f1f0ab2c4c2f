private import CLullShims
private import Glibc
import LullLoop
import LullModel

/// One program that carries a notice: it reads it from a file without a name, has so long, and is never left a zombie.
///
/// The loop waits for nothing: the program's end comes by its pidfd, its complaints by a pipe.
final class NoticeChild {
    private let loop: EventLoop
    private var pid: pid_t = 0
    private var pidfd: Int32 = -1
    private var complaints: Int32 = -1
    private var said: [UInt8] = []
    private var timer: LoopTimer?
    private var wasTooSlow = false
    private var ended: ((String?) -> Void)?

    struct Refusal: Error { let sentence: String }

    /// `ended` hears why the sink has not taken it, or nil; once, and never before this returns.
    init(
        _ program: NoticeProgram, on loop: EventLoop, limit: Duration, ended: @escaping (String?) -> Void
    ) throws(Refusal) {
        self.loop = loop
        self.ended = ended
        guard let file = Self.file(holding: program.input) else { throw Self.notHandedOver(errno) }
        var ends: [Int32] = [-1, -1]
        guard lull_output_pipe(&ends) == 0 else {
            let code = errno
            close(file)
            throw Self.notHandedOver(code)
        }
        complaints = ends[0]
        let code = Self.spawn(program, file, ends[1], &pid)
        close(file)
        close(ends[1])
        guard code == 0 else {
            close(complaints)
            throw Refusal(
                sentence: code == ENOENT
                    ? "there is no program '\(program.words.first ?? "")'"
                    : "'\(program.words.first ?? "")' can't be started: \(String(cString: strerror(code)))")
        }
        pidfd = lull_pidfd(pid)
        do throws(LoopError) {
            timer = try LoopTimer(on: loop) { [unowned self] in
                wasTooSlow = true
                kill(-pid, SIGKILL)
            }
            try loop.watch(complaints, .readable) { [unowned self] _ in read() }
            try loop.watch(pidfd, .readable) { [unowned self] _ in finish() }
        } catch {
            self.ended = nil
            end()
            throw Refusal(sentence: "its end can't be watched for: \(error)")
        }
        timer?.arm(Clock.monotonic + limit)
    }

    private static func notHandedOver(_ code: Int32) -> Refusal {
        Refusal(sentence: "it can't be handed over: \(String(cString: strerror(code)))")
    }

    deinit { if pid > 0 { end() } }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(complaints, &buffer, buffer.count)
        if count > 0, said.count < 4096 { said += buffer.prefix(count) }
        if count == 0 { loop.forget(complaints) }
    }

    private func finish() {
        read()
        let status = end()
        let ended = self.ended
        self.ended = nil
        ended?(trouble(status))
    }

    /// What is left of it is killed and waited for, which is quick.
    @discardableResult
    private func end() -> Int32 {
        timer = nil
        for descriptor in [pidfd, complaints] where descriptor >= 0 { loop.forget(descriptor) }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        for descriptor in [pidfd, complaints] where descriptor >= 0 { close(descriptor) }
        (pid, pidfd, complaints) = (0, -1, -1)
        return status
    }

    private func trouble(_ status: Int32) -> String? {
        if wasTooSlow { return "it took longer than it has, and was killed" }
        guard status != 0 else { return nil }
        let words = String(decoding: said, as: UTF8.self).split(separator: "\n").last.map(String.init)
        let signal = status & 0x7F
        let how = signal == 0 ? "it exited with \(status >> 8 & 0xFF)" : "signal \(signal) ended it"
        return words.map { how + ": " + NoticeMessage.line($0) } ?? how
    }

    private static func file(holding text: String) -> Int32? {
        let file = lull_memory_file()
        guard file >= 0 else { return nil }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 else {
                close(file)
                return nil
            }
            written += count
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private static func spawn(
        _ program: NoticeProgram, _ input: Int32, _ errors: Int32, _ pid: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The host blocks the signals that it reads from a descriptor; its child must hear them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A group of its own, so that what it starts ends with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = program.words.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [
            "PATH", "HOME", "TZ", "USER", "LOGNAME", "http_proxy", "https_proxy", "no_proxy",
        ].compactMap { name in getenv(name).flatMap { strdup(name + "=" + String(cString: $0)) } }
        environment += program.variables.map { strdup($0.name + "=" + $0.value) }
        environment += [strdup("LC_ALL=C.UTF-8"), nil]
        defer { for variable in environment { free(variable) } }
        guard let program = words[0] else { return ENOENT }
        return posix_spawnp(&pid, program, &actions, &attributes, &words, &environment)
    }
}
