import Glibc
import LullConditions
import LullManifest
import LullModel

/// Why an event of `on` can't come on this machine, and what to do about it.
enum EventObstacle {
    static func sentence(
        on trigger: Trigger, of app: App, roots: ConditionRoots
    ) -> (message: String, fix: String)? {
        switch trigger {
        case .path(let path): return obstacle(to: path, app)
        case .login(let user):
            if !Logins.isKept(roots) {
                return (
                    "systemd-logind is missing here, so Lull can't see logins",
                    "install systemd, or use another event"
                )
            }
            guard let user, getpwnam(user) == nil else { return nil }
            return (
                "there is no user '\(user)' on this machine", "write a user of this machine, or `login: any`"
            )
        case .device(let pattern):
            if access("/sys/class", F_OK) != 0 {
                return (
                    "the kernel's device events do not arrive here, as in a container",
                    "run lull on the machine itself"
                )
            }
            guard let subsystem = pattern.subsystem, access("/sys/class/\(subsystem)", F_OK) != 0,
                access("/sys/bus/\(subsystem)", F_OK) != 0
            else { return nil }
            return (
                "this kernel has no subsystem '\(subsystem)', so no such device can appear",
                "write a name from /sys/class or /sys/bus, such as block, usb, tty or net"
            )
        case .after, .afterAll, .resume, .network, .externalPower, .boot: return nil
        }
    }

    /// The host has to read the folder, and the app the files in it.
    private static func obstacle(to path: WatchedPath, _ app: App) -> (message: String, fix: String)? {
        var status = stat()
        guard stat(path.path, &status) == 0 else {
            // A path that does not exist yet is waited for.
            guard errno != ENOENT else { return nil }
            return (
                "\(path.path) can't be read: \(String(cString: strerror(errno)))",
                "let the host read it, or name another path"
            )
        }
        if path.isFolder, status.st_mode & S_IFMT != S_IFDIR {
            return ("\(path.path) is a file, not a folder", "write the path of a folder")
        }
        if access(path.path, R_OK) != 0 {
            return ("this user can't read \(path.path)", "run lull as a user who can")
        }
        guard let name = app.namedUser, let user = getpwnam(name)?.pointee, user.pw_uid != 0 else {
            return nil
        }
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        getgrouplist(name, user.pw_gid, &groups, &count)
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed: mode_t = isFolder ? 5 : 4
        let bits =
            status.st_uid == user.pw_uid
            ? status.st_mode >> 6
            : groups.prefix(Int(max(0, count))).contains(status.st_gid) ? status.st_mode >> 3 : status.st_mode
        guard bits & needed != needed else { return nil }
        return (
            "the user '\(name)' of its app can't read \(path.path)",
            "let that user read it, or give the app another `user`"
        )
    }
}
