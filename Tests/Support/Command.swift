import Foundation

/// A program that a test runs to its end.
public enum Command {
    public struct Trouble: Error { public let text: String }

    /// Returns the program's output; if it fails, throws its error text.
    @discardableResult
    public static func run(_ words: [String], in folder: String = "/") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["LC_ALL=C.UTF-8"] + words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        for pipe in [output, errors] { try pipe.fileHandleForWriting.close() }
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: printed, as: UTF8.self)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Trouble(text: "\(words): \(text)\(String(decoding: said, as: UTF8.self))")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
