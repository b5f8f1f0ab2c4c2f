import Foundation
import LullModel

/// Which files a manifest is read from: its own, those that it includes, and those that will be where it includes from.
struct ManifestFiles: Equatable {
    private let paths: [String]
    private let folders: [String]

    /// `path`: the manifest, or the folder that it is.
    init(path: String, _ manifest: Manifest? = nil) {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        paths =
            [isThere && isFolder.boolValue ? path + "/jobs.yaml" : path]
            + (manifest?.files.map(Self.absolute) ?? [])
        folders = manifest?.includeFolders.map(Self.absolute) ?? []
    }

    /// As they are now: what an editor keeps beside a file is none.
    var now: [String] {
        let found = folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            // The folder itself is looked at even while it is empty.
            return [folder + "/*"]
                + names.filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }.map { folder + "/" + $0 }
        }
        return Array(Set(paths + found)).sorted()
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
