import Foundation

/// Finds processes in /proc, for tests that kill some.
public enum Processes {
    /// The living children and grandchildren of a process with this name: a worker is its supervisor's child.
    public static func descendants(of ancestor: pid_t, named name: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter {
            guard let process = stat(of: $0), process.name == name, process.state != "Z" else { return false }
            return process.parent == ancestor || stat(of: process.parent)?.parent == ancestor
        }
    }

    /// Nil if the process is gone.
    private static func stat(of process: pid_t) -> (name: Substring, state: Substring, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let begin = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
        return (text[text.index(after: begin)..<end], words[0], parent)
    }

    /// Whether the process has mapped this library.
    public static func maps(_ library: String, in process: pid_t) throws -> Bool {
        // Through a handle: Foundation's other readers stop after the first page of a file in /proc.
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/maps")).readToEnd()
        return String(decoding: maps ?? Data(), as: UTF8.self).contains(library)
    }
}
