private import Foundation
private import Glibc

/// A program that is run for what it prints: gzip, git.
///
/// Its complaints are kept apart; a program that ends badly makes the reading fail, for then what it printed is not
/// all there is.
final class ChildProgram {
    private let process = Process()
    private let pipe = Pipe()
    private let complaints: FileHandle
    private let name: String
    private let subject: String

    /// Where its output is read.
    var output: Int32 { pipe.fileHandleForReading.fileDescriptor }

    /// Starts the program; `subject` is the file that messages name.
    init(
        _ name: String, _ arguments: [String], input: Int32? = nil, of subject: String,
        without hidden: [String] = []
    ) throws(ImportError) {
        self.name = name
        self.subject = subject
        // A file, so that a talkative program never blocks on a pipe that nobody reads.
        complaints = Self.temporaryFile() ?? FileHandle.nullDevice
        guard let path = Self.path(of: name) else { throw .noProgram(name, path: subject) }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["LC_ALL"] = "C"
        for variable in hidden { environment[variable] = nil }
        process.environment = environment
        process.standardInput =
            input.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) }
            ?? FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = complaints
        do {
            try process.run()
        } catch {
            throw .noProgram(name, path: subject)
        }
    }

    /// Without a name; nil when none can be made.
    private static func temporaryFile() -> FileHandle? {
        guard let file = tmpfile() else { return nil }
        defer { fclose(file) }
        let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Waits for its end, after all of its output was read.
    func finish() throws(ImportError) {
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw .program(name, path: subject, words: words)
        }
    }

    /// The first line that it complained with, without its own name.
    private var words: String {
        try? complaints.seek(toOffset: 0)
        let text = String(decoding: (try? complaints.read(upToCount: 4096)) ?? Data(), as: UTF8.self)
        var line =
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .first { !$0.isEmpty } ?? ""
        for prefix in ["gzip: ", "stdin: ", "fatal: ", "error: "] where line.hasPrefix(prefix) {
            line = String(line.dropFirst(prefix.count))
        }
        return ImportProblem.shown(Array(line.utf8), limit: 200)
    }
}
