import Foundation
import LullManifest
import LullSystem

/// Asks a shell whether it can read a line: `sh -n` reads it, and runs nothing.
enum ShellSyntax {
    /// Only shells of the system are started for this, whatever path a manifest names.
    private static let folders = ["/bin/", "/usr/bin/", "/usr/local/bin/"]

    /// The shell's complaint; nil: it can read the text, or is not asked.
    static func fault(of text: String, by shell: String) -> String? {
        guard folders.contains(where: { shell.hasPrefix($0) && !shell.dropFirst($0.count).contains("/") }),
            !shell.hasSuffix("busybox"), text.utf8.count <= ShellText.limit, !text.utf8.contains(0),
            FileManager.default.isExecutableFile(atPath: shell)
        else { return nil }
        // zsh would read its own files first.
        let words = [shell] + (shell.hasSuffix("zsh") ? ["-f"] : []) + ["-n", "-c", text]
        let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
        guard let reader = try? ChildProcess(words, environment: environment, readsOutput: false)
        else { return nil }
        let ending = reader.end(mayFinish: true)
        guard ending.trouble?.hasPrefix("it exited") == true else { return nil }
        return self.words(String(decoding: ending.complaints, as: UTF8.self))
    }

    /// The end of `dash: 1: Syntax error: X` or `bash: -c: line 1: X`.
    private static func words(_ said: String) -> String {
        let line = said.split(separator: "\n").first.map(String.init) ?? "a syntax error"
        let parts = line.components(separatedBy: ": ")
        let number = parts.prefix(3).lastIndex { $0.last?.isNumber == true }
        let rest = parts.dropFirst(number.map { $0 + 1 } ?? 0).joined(separator: ": ")
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }
}
