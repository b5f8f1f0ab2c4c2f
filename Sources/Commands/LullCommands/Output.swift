import Foundation
import Glibc
import LullModel
import Synchronization

/// Where commands write: answers to standard output, everything about them to standard error.
package enum Output {
    /// Whether anything was answered, and the text written to standard error.
    private static let said = Mutex((isAnswered: false, errors: ""))
    package static var isAnswered: Bool { said.withLock { $0.isAnswered } }
    package static var errors: String { said.withLock { $0.errors } }

    /// Shows text that may have foreign parts: characters that would steer a terminal are shown as symbols.
    package static func answer(_ text: String) { write(text.terminalSafeLines, to: STDOUT_FILENO) }
    package static func error(_ text: String) { write(text.terminalSafeLines, to: STDERR_FILENO) }

    /// Shows text that was coloured here and is otherwise terminal-safe already.
    package static func answer(styled text: String) { write(text, to: STDOUT_FILENO) }
    package static func error(styled text: String) { write(text, to: STDERR_FILENO) }

    /// Writes text for programs, byte for byte.
    package static func data(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Shows the output of a run as it comes: to a program byte for byte, to a terminal made terminal-safe.
    package static func printed(_ bytes: [UInt8], isError: Bool) {
        let descriptor = isError ? STDERR_FILENO : STDOUT_FILENO
        write(
            isatty(descriptor) == 1
                ? Array(String(decoding: bytes, as: UTF8.self).terminalSafeLines.utf8) : bytes,
            to: descriptor)
    }

    /// Writes a value as JSON with sorted keys in snake case, for programs, and terminal-safe.
    package static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        data(String(decoding: try encoder.encode(value), as: UTF8.self).terminalSafeJSON)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        if descriptor == STDERR_FILENO { said.withLock { $0.errors += text + "\n" } }
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        if descriptor == STDOUT_FILENO { said.withLock { $0.isAnswered = true } }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count > 0 {
                written += count
            } else if count < 0, errno != EINTR {
                // The reader has gone: as with any filter, that ends the command.
                exit(errno == EPIPE ? 0 : 74)
            }
        }
    }
}
