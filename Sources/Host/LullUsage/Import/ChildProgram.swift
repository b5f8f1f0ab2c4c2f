private import Foundation
import LullSystem

/// A program that is run for its output: gzip, git.
///
/// If the program fails, reading fails too, because the output is incomplete.
final class ChildProgram {
    private let process: ChildProcess
    private let name: String
    private let subject: String

    /// Starts the program; `subject` is the file that messages name.
    init(
        _ name: String, _ arguments: [String], input: Int32? = nil, of subject: String,
        without hidden: [String] = []
    ) throws(ImportError) {
        self.name = name
        self.subject = subject
        let variables = ProcessInfo.processInfo.environment.filter {
            !hidden.contains($0.key) && $0.key != "LC_ALL"
        }
        do {
            process = try ChildProcess(
                [name] + arguments, environment: variables.map { $0.key + "=" + $0.value } + ["LC_ALL=C"],
                input: input)
        } catch {
            throw .noProgram(name, path: subject)
        }
    }

    /// The next portion of the output; empty at the end. Throws if the program failed.
    func read() throws(ImportError) -> [UInt8] {
        let bytes = process.read() ?? []
        guard bytes.isEmpty else { return bytes }
        let ending = process.end(mayFinish: true)
        guard ending.trouble == nil else {
            throw .program(name, path: subject, words: Self.words(ending.complaints))
        }
        return []
    }

    /// The first line of the program's error output, without its name.
    private static func words(_ complaints: [UInt8]) -> String {
        var line =
            String(decoding: complaints, as: UTF8.self).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.first { !$0.isEmpty } ?? ""
        for prefix in ["gzip: ", "stdin: ", "fatal: ", "error: "] where line.hasPrefix(prefix) {
            line = String(line.dropFirst(prefix.count))
        }
        return ImportProblem.shown(Array(line.utf8), limit: 200)
    }
}
