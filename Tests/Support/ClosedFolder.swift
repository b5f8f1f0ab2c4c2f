import Foundation

/// A folder that this user may write and apps may not by default: apps may write folders for temporary files.
public enum ClosedFolder {
    public static let path: String? = {
        if geteuid() == 0 { return "/var/lib" }
        let home = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
        let build = FileManager.default.currentDirectoryPath + "/.build"
        return [home, build, "/run/user/\(geteuid())"].first { path in
            !["/tmp", "/var/tmp", "/dev/shm"].contains { (path + "/").hasPrefix($0 + "/") }
                && access(path, W_OK | X_OK) == 0
        }
    }()
    public static let absence =
        "needs a folder to write in that is none for temporary files, such as a home"
}
