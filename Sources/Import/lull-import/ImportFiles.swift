import Foundation
import Glibc
import LullCommands
import LullImport

/// Reads the input of an import: files, folders of files, and standard input, each up to a limit.
enum ImportFiles {
    /// The crontabs at a path; those in a folder and in cron's own places have the status that cron checks.
    static func crontabs(at path: String) throws -> [CrontabFile] {
        if path == "-" {
            return [
                CrontabFile(path: "crontab", bytes: try bytes(of: .standardInput, named: "standard input"))
            ]
        }
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Failure(
                "There is no '\(path)'. Name a crontab, a folder of them, or `-` for standard input.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            try refuseOthers(absolute)
            let isCrons = absolute == "/etc/crontab" || isPlaceOfCron(absolute)
            return [
                CrontabFile(
                    path: path, bytes: try contents(of: path), format: CrontabFile.format(of: absolute),
                    status: isCrons ? try self.status(of: absolute, administrator: 0) : nil)
            ]
        }
        try refuseOthers(absolute)
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        return try names(in: path).map { name in
            let file = folder + "/" + name
            let format = CrontabFile.format(of: absolute + "/" + name)
            let standing = try self.status(of: file, format: format, administrator: status.st_uid)
            let isRegular = standing.file?.isRegular == true
            return CrontabFile(
                path: file, bytes: isRegular ? try contents(of: file) : [],
                format: format, status: standing)
        }
    }

    /// Whether a path is one at which cron looks on this machine.
    private static func isPlaceOfCron(_ absolute: String) -> Bool {
        ["/etc/cron.d/", "/var/spool/cron/", "/var/cron/tabs/"].contains(where: absolute.hasPrefix)
    }

    /// Refuses what is no crontab, and would be read as a broken one.
    private static func refuseOthers(_ absolute: String) throws {
        let name = URL(fileURLWithPath: absolute).lastPathComponent
        if ["cron.hourly", "cron.daily", "cron.weekly", "cron.monthly", "cron.yearly"].contains(name) {
            throw Failure(
                "\(absolute) holds programs, which run-parts starts. Import /etc/crontab, whose lines call it; the manifest names "
                    + "what they start.")
        }
        if name == "anacrontab" {
            throw Failure(
                "\(absolute) is anacron's. Write its jobs by hand: `at: daily` (`weekly`, `monthly`) with `missed: one`, and "
                    + "the command under `settings`.")
        }
    }

    private static func status(
        of path: String, format: CrontabFile.Format? = nil, administrator: UInt32
    ) throws -> CrontabStatus {
        var link = stat()
        guard lstat(path, &link) == 0 else {
            throw Failure("\(path) can't be examined. Run this as a user who can: `sudo lull import …`.")
        }
        var file = stat()
        let isThere = stat(path, &file) == 0
        var place = CrontabStatus.Place.systemFolder
        switch format ?? CrontabFile.format(of: path) {
        case .user(let name): place = .spool(account: name.flatMap { getpwnam($0)?.pointee.pw_uid })
        case .system where path == "/etc/crontab": place = .systemCrontab
        default: break
        }
        return CrontabStatus(
            place: place,
            file: isThere
                ? CrontabStatus.File(
                    isRegular: file.st_mode & S_IFMT == S_IFREG, owner: file.st_uid,
                    mode: file.st_mode & 0o7777, links: UInt64(file.st_nlink)) : nil,
            linkOwner: link.st_mode & S_IFMT == S_IFLNK ? link.st_uid : nil, administrator: administrator)
    }

    static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw Failure(
                "The folder \(folder) can't be read. Run this as a user who can, or name the files.")
        }
    }

    static func contents(of path: String) throws -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(path) is not a file. Name a file, or `-` for standard input.")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("\(path) can't be read. Run this as a user who can: `sudo lull import …`.")
        }
        defer { try? file.close() }
        return try bytes(of: file, named: path)
    }

    private static func bytes(of file: FileHandle, named name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        func piece() throws -> Data? {
            do {
                return try file.read(upToCount: 1 << 16)
            } catch {
                throw Failure(
                    "\(name) can't be read to its end: \(error.localizedDescription). Name another file.")
            }
        }
        while let more = try piece(), !more.isEmpty {
            bytes += more
            guard bytes.count <= CrontabFile.limit else {
                throw Failure(
                    "\(name) is larger than \(CrontabFile.limit >> 20) MiB. Check that this is the right file."
                )
            }
        }
        return bytes
    }
}
