private import CLullShims
private import Glibc
import LullModel
import LullSystem

/// One program that delivers a notice, which it reads from a file without a name, within a time limit.
final class NoticeChild {
    private let child: ChildProcess
    private var timer: LoopTimer?
    private var wasTooSlow = false
    /// The beginning of what it prints.
    private var printed: [UInt8] = []

    struct Refusal: Error { let sentence: String }

    /// The host's environment variables that such a program gets.
    private static let variables = [
        "PATH", "HOME", "TZ", "USER", "LOGNAME", "http_proxy", "https_proxy", "no_proxy",
        "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
    ]

    /// `ended` gets the reason why the sink has not taken it, or nil; once, and never before this returns.
    init(
        _ program: NoticeProgram, on loop: EventLoop, limit: Duration, ended: @escaping (String?) -> Void
    ) throws(Refusal) {
        guard let file = Self.file(holding: program.input) else {
            throw Refusal(sentence: "the notice can't be handed over: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        do throws(ChildProcess.Refusal) {
            child = try ChildProcess(
                program.words,
                environment: program.variables.map { $0.name + "=" + $0.value }
                    + ChildProcess.environment(of: Self.variables),
                input: file, readsOutput: program.printsStatus)
        } catch {
            throw Refusal(
                sentence: error.code == ENOENT
                    ? "there is no program '\(program.words.first ?? "")'"
                    : "'\(program.words.first ?? "")' can't be started: \(String(cString: strerror(error.code)))"
            )
        }
        do throws(LoopError) {
            timer = try LoopTimer(on: loop) { [unowned self] in
                wasTooSlow = true
                child.kill()
            }
            try child.listen(
                on: loop,
                output: { [unowned self] in printed += $0.prefix(max(0, 16 - printed.count)) },
                ended: { [unowned self] in ended(trouble($0)) })
        } catch {
            throw Refusal(sentence: "its end can't be watched for: \(error.message)")
        }
        timer?.arm(Clock.monotonic + limit)
    }

    private func trouble(_ ending: ChildProcess.Ending) -> String? {
        timer = nil
        if wasTooSlow { return "it took too long, and was killed" }
        guard let how = ending.trouble else {
            // A redirection that leads nowhere: the program does not fail for it.
            let status = String(decoding: printed, as: UTF8.self)
            return status.hasPrefix("3")
                ? "the answer was \(status), a redirect, so the notice was not accepted" : nil
        }
        return ending.lastWords.map { how + ": " + NoticeMessage.line($0) } ?? how
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
}
