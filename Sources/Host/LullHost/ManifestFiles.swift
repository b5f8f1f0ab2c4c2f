import Foundation
import LullManifest
import LullModel

/// The files that a manifest is read from: its own, those that it includes, and new ones that match its include patterns.
struct ManifestFiles: Equatable {
    private let paths: [String]
    private let patterns: [String]

    /// `path`: the manifest, or the folder of a `jobs.yaml`.
    init(path: String, _ manifest: Manifest? = nil) {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        paths =
            [isThere && isFolder.boolValue ? path + "/jobs.yaml" : path]
            + (manifest?.files.map(Self.absolute) ?? [])
        patterns = manifest?.includePatterns.map(Self.absolute) ?? []
    }

    /// The files at this time, without the copies that editors and backups keep beside them.
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
