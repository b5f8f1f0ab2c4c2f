import Foundation
import Glibc
import LullImport

/// What an import reads: files, folders of files, and standard input, none of them without bound.
enum ImportFiles {
    static let machine = ImportMachine(
        isUser: { getpwnam($0) != nil },
        isZone: { name in
            // A name leads nowhere else than into the zone database.
            let isName = name.utf8.first.map { $0 != UInt8(ascii: "/") } == true && !name.contains("..")
            var isFolder: ObjCBool = false
            return isName && !name.utf8.contains(0)
                && FileManager.default.fileExists(
                    atPath: "/usr/share/zoneinfo/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }, sendsMail: access("/usr/sbin/sendmail", X_OK) == 0)

    /// The crontabs at a path; of a folder those that cron would read.
    static func crontabs(at path: String) throws -> [CrontabFile] {
        if path == "-" {
            return [
                CrontabFile(path: "crontab", bytes: try bytes(of: .standardInput, named: "standard input"))
            ]
        }
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(
                "There is no '\(path)'. Name a crontab, a folder of them, or `-` for standard input.")
        }
        guard isFolder.boolValue else {
            return [
                CrontabFile(
                    path: path, bytes: try contents(of: path), format: CrontabFile.format(of: absolute))
            ]
        }
        return try names(in: path).filter(isReadByCron).map { name in
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            return CrontabFile(
                path: folder + "/" + name, bytes: try contents(of: folder + "/" + name),
                format: CrontabFile.format(of: absolute + "/" + name))
        }
    }

    /// cron passes over hidden files, backups and what packages left.
    private static func isReadByCron(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            // A user's name may hold a dot, if it does not begin with it.
            case UInt8(ascii: "."): !name.hasPrefix(".") && !name.contains(".dpkg-")
            default: false
            }
        }
    }

    static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw Failure(
                "The folder \(folder) can't be read. Run this as a user who may, or name the files.")
        }
    }

    static func contents(of path: String) throws -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(path) is no file. Name a file, or `-` for standard input.")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("\(path) can't be read. Run this as a user who may: `sudo lull import …`.")
        }
        defer { try? file.close() }
        return try bytes(of: file, named: path)
    }

    private static func bytes(of file: FileHandle, named name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try file.read(upToCount: 1 << 16), !more.isEmpty {
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
