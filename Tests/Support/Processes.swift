import Foundation

/// Processes as /proc has them, for tests that kill some.
public enum Processes {
    /// The living children of a process that bear this name, and its grandchildren: a worker is its supervisor's child.
    public static func descendants(of ancestor: pid_t, named name: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter {
            guard let process = stat(of: $0), process.name == name, process.state != "Z" else { return false }
            return process.parent == ancestor || stat(of: process.parent)?.parent == ancestor
        }
    }

    /// Nil: it is gone.
    private static func stat(of process: pid_t) -> (name: Substring, state: Substring, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let begin = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
        return (text[text.index(after: begin)..<end], words[0], parent)
    }

    /// Whether it has this library in its memory.
    public static func maps(_ library: String, in process: pid_t) throws -> Bool {
        // To its end: Foundation takes a file of /proc to be over after its first page.
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/maps")).readToEnd()
        return String(decoding: maps ?? Data(), as: UTF8.self).contains(library)
    }
}
