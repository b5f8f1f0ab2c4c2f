import Foundation
import LullManifest
import LullModel

/// Which files a manifest is read from: its own, those that it includes, and those that will be where it includes from.
struct ManifestFiles: Equatable {
    private let paths: [String]
    private let patterns: [String]

    /// `path`: the manifest, or the folder that it is.
    init(path: String, _ manifest: Manifest? = nil) {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        paths =
            [isThere && isFolder.boolValue ? path + "/jobs.yaml" : path]
            + (manifest?.files.map(Self.absolute) ?? [])
        patterns = manifest?.includePatterns.map(Self.absolute) ?? []
    }

    /// As they are now: what an editor or a backup keeps beside a file is none.
    var now: [String] {
        let found = patterns.flatMap { path in
            let pattern = URL(fileURLWithPath: path)
            let folder = pattern.deletingLastPathComponent().path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            // The folder itself is looked at even while it is empty.
            return [path]
                + names.filter { IncludePattern.fits($0, pattern.lastPathComponent) }.map {
                    folder + "/" + $0
                }
        }
        return Array(Set(paths + found)).sorted()
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
