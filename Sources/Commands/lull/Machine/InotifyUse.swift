import Foundation
import Glibc

/// A user's inotify limits and how much of them is in use: the kernel counts both for each user, and reveals neither count.
struct InotifyUse {
    private let procfs: String

    init(procfs: String) { self.procfs = procfs }

    /// Nil: the kernel has no such setting.
    func most(_ setting: String) -> Int? {
        let path = procfs + "/sys/" + setting.replacing(".", with: "/")
        return (try? String(contentsOfFile: path, encoding: .utf8))
            .flatMap { Int($0.filter { !$0.isWhitespace }) }
    }

    /// The use by all of the user's processes but one, as far as this process may look into them.
    func taken(by user: uid_t, without host: Int32?) -> (instances: Int, watches: Int) {
        var taken = (instances: 0, watches: 0)
        for process in names(in: procfs).compactMap({ Int32($0) }) where process != host {
            let folder = "\(procfs)/\(process)"
            var status = stat()
            guard stat(folder, &status) == 0, status.st_uid == user else { continue }
            for name in names(in: folder + "/fd") {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/fd/\(name)")
                guard target == "anon_inode:inotify" else { continue }
                taken.instances += 1
                let text = (try? String(contentsOfFile: "\(folder)/fdinfo/\(name)", encoding: .utf8)) ?? ""
                taken.watches += text.split(separator: "\n").count { $0.hasPrefix("inotify ") }
            }
        }
        return taken
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
