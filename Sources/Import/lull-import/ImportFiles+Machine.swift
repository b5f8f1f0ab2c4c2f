import Foundation
import Glibc
import LullImport
import LullManifest

/// The facts about this machine that an import needs.
extension ImportFiles {
    static let machine = ImportMachine(
        isUser: { getpwnam($0) != nil },
        isExpired: { name in
            // shadow(5), which only root reads: the eighth field is the day since 1970 on which the account ends.
            guard let shadow = try? String(contentsOfFile: "/etc/shadow", encoding: .utf8) else {
                return false
            }
            let fields = shadow.split(separator: "\n").map {
                $0.split(separator: ":", omittingEmptySubsequences: false)
            }
            let entry = fields.first { $0.count == 9 && $0[0] == name }
            guard let last = entry.flatMap({ Int($0[7]) }), last >= 0 else { return false }
            return last * 86_400 <= time(nil)
        },
        isZone: { name in
            // A name leads nowhere else than into the zone database.
            let isName = name.utf8.first.map { $0 != UInt8(ascii: "/") } == true && !name.contains("..")
            var isFolder: ObjCBool = false
            return isName && !name.utf8.contains(0)
                && FileManager.default.fileExists(
                    atPath: "/usr/share/zoneinfo/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }, sendsMail: access("/usr/sbin/sendmail", X_OK) == 0,
        isProgram: { name in
            ShellText.isOwn(name)
                || ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"].contains {
                    access($0 + "/" + name, X_OK) == 0
                }
        },
        programs: { folder in
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
            return RunParts(
                names.map { name in
                    var status = stat()
                    let isFile = stat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                    return (name, isFile && status.st_mode & 0o111 != 0)
                })
        },
        home: { name in
            guard let name else { return NSHomeDirectory() }
            return getpwnam(name).map { String(cString: $0.pointee.pw_dir) }
        },
        hostName: ProcessInfo.processInfo.hostName)

    /// The cron that is installed here, else the usual one of the system. `from`: its program's path, or why it was chosen.
    static func installedCron() -> (kind: CronKind, from: String) {
        let marks: [(kind: CronKind, text: String)] = [
            (.debian, "Missing newline before EOF, this crontab file will be ignored"),
            (.cronie, "RANDOM_DELAY"),
        ]
        for path in ["/usr/sbin/cron", "/usr/sbin/crond"] {
            guard let program = FileManager.default.contents(atPath: path) else { continue }
            for mark in marks where program.range(of: Data(mark.text.utf8)) != nil {
                return (mark.kind, path)
            }
        }
        let isDebians = access("/etc/debian_version", F_OK) == 0
        return isDebians
            ? (.debian, "no cron is installed, and the system is Debian's kind")
            : (.cronie, "no cron is installed, and the system is not Debian's kind")
    }
}
