import Foundation
import LullManifest
import LullModel

/// The apps and tasks that a shell may complete: those of the manifest that the command line names, or the usual one.
///
/// Read anew for each completion, and silent: a prompt has no place for errors.
package struct KnownNames {
    private let manifest: Manifest?

    /// `words`: the command line so far.
    package init(_ words: [String]) {
        func value(_ option: String) -> String? {
            for (index, word) in words.enumerated() {
                if word == option, index + 1 < words.count { return words[index + 1] }
                if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
            }
            return nil
        }
        let state = value("--state").map { ["--state", $0] } ?? []
        guard let options = try? StateOptions.parse(state) else {
            manifest = nil
            return
        }
        manifest = options.read(value("--manifest")).manifest
    }

    package var apps: [String] { withEnds(manifest?.apps.map(\.identifier.text) ?? []) }

    /// Without wildcards: they stand for names that are not known.
    package var tasks: [String] {
        withEnds(manifest?.tasks.filter { !$0.identifier.isWildcard }.map(\.identifier.text) ?? [])
    }

    /// The names, and beside each its last word where no other name ends with it.
    private func withEnds(_ names: [String]) -> [String] {
        let ends = Dictionary(grouping: names) { $0.split(separator: ".").last.map(String.init) ?? $0 }
        return names + ends.filter { $0.value.count == 1 }.keys.sorted()
    }
}
