import Foundation
import Glibc
import LullCommands
import LullImport

/// The folders in which systemd looks for units, in its order; a unit in an earlier one counts.
///
/// They are read as files, so that it works for a machine that does not run (`--root`), or where systemd is not there.
struct UnitFolders {
    let folders: [String]
    /// The prefix of each path that a link or a condition names.
    let root: String

    /// systemd.unit(5), "Unit File Search Path".
    static func search(root: String, ofUser: Bool) -> UnitFolders {
        let home = NSHomeDirectory()
        let run = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(geteuid())"
        let system = [
            "/etc/systemd/system.control", "/run/systemd/system.control", "/run/systemd/transient",
            "/run/systemd/generator.early", "/etc/systemd/system", "/etc/systemd/system.attached",
            "/run/systemd/system",
            "/run/systemd/system.attached", "/run/systemd/generator", "/usr/local/lib/systemd/system",
            "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/generator.late",
        ]
        let user = [
            home + "/.config/systemd/user.control", run + "/systemd/user.control", run + "/systemd/transient",
            run + "/systemd/generator.early", home + "/.config/systemd/user", "/etc/systemd/user",
            run + "/systemd/user",
            "/run/systemd/user", run + "/systemd/generator", home + "/.local/share/systemd/user",
            "/usr/local/lib/systemd/user", "/usr/lib/systemd/user", run + "/systemd/generator.late",
        ]
        return UnitFolders(folders: (ofUser ? user : system).map { root + $0 }, root: root)
    }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter(Self.isUnit).sorted()
    }

    /// Whether systemd reads a file of this name at all.
    static func isUnit(_ name: String) -> Bool {
        name.utf8.count <= 255
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789:-_.\\@".contains(Character($0)))
            }
    }

    /// The links and units that start timers, and the masks that keep them from being started.
    func starts() throws -> TimerStarts {
        var starts = TimerStarts()
        var seen: Set<String> = []
        for folder in folders {
            for name in names(in: folder) {
                for kind in [".wants", ".requires", ".upholds"] where name.hasSuffix(kind) {
                    for unit in names(in: folder + "/" + name) {
                        starts.wanted[unit, default: []].insert(String(name.dropLast(kind.count)))
                    }
                }
                guard [".timer", ".service", ".target"].contains(where: name.hasSuffix),
                    seen.insert(name).inserted
                else { continue }
                guard let unit = try file(folder + "/" + name) else {
                    starts.masked.insert(name)
                    continue
                }
                if folder.hasSuffix("/transient") { starts.transient.insert(name) }
                // A service counts only if something starts it, as below; ordinary targets are always reached.
                let text = UnitFile(name: name, path: folder + "/" + name, bytes: unit)
                for wish in text.wants where wish.hasSuffix(".timer") && wish != name {
                    starts.wanted[wish, default: []].insert(name)
                }
            }
        }
        // The wants of a service count only if the service itself is wanted.
        for (unit, wanting) in starts.wanted {
            starts.wanted[unit] = wanting.filter { $0.hasSuffix(".target") || starts.wanted[$0] != nil }
        }
        let root = root
        starts.holds = { condition, path in
            var status = stat()
            let isThere = stat(root + path, &status) == 0
            switch condition {
            case "PathExists": return isThere
            case "PathIsDirectory": return isThere && status.st_mode & S_IFMT == S_IFDIR
            case "FileNotEmpty": return isThere && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
            case "FileIsExecutable":
                return isThere && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o111 != 0
            default: return nil
            }
        }
        return starts
    }

    /// A unit with its drop-ins; a template has the name of its instance.
    func unit(named name: String) throws -> UnitFile? {
        for folder in folders {
            for candidate in [name, UnitFile.template(of: name)].compactMap({ $0 }) {
                let path = folder + "/" + candidate
                guard isThere(path) else { continue }
                guard let bytes = try file(path) else { return nil }
                var unit = UnitFile(
                    name: name, path: path, bytes: bytes, isOfUser: folder.hasSuffix("/systemd/user"))
                try addDropIns(to: &unit)
                return unit
            }
        }
        return nil
    }

    /// For each name the first file, from the most specific folder; applied in the order of the names.
    private func addDropIns(to unit: inout UnitFile) throws {
        let kind = unit.name.split(separator: ".").last.map(String.init) ?? ""
        var owners = [unit.name]
        if let template = UnitFile.template(of: unit.name) { owners.append(template) }
        // `apt-daily-.service.d` is for all whose names begin so.
        let stem = String(unit.name.dropLast(kind.count + 1))
        for index in stem.indices.reversed()
        where stem[index] == "-" && stem.index(after: index) < stem.endIndex {
            owners.append(stem[...index] + "." + kind)
        }
        owners.append(kind)
        var found: [String: String] = [:]
        for owner in owners {
            for folder in folders {
                let dropIns = folder + "/" + owner + ".d"
                for name in names(in: dropIns) where name.hasSuffix(".conf") && found[name] == nil {
                    found[name] = dropIns + "/" + name
                }
            }
        }
        for (_, path) in found.sorted(by: { $0.key < $1.key }) {
            if let bytes = try file(path) { unit.append(bytes, from: path) }
        }
    }

    private func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Nil: a link to nowhere, or to /dev/null, as for a masked unit.
    private func file(_ path: String) throws -> [UInt8]? {
        var path = path
        if !root.isEmpty, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
            target.hasPrefix("/")
        {
            path = target.hasPrefix(root + "/") ? target : root + target
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        guard status.st_size <= UnitFile.limit else {
            throw Failure("\(path) is larger than any unit. Check that this is the right folder.")
        }
        return try ImportFiles.contents(of: path)
    }
}
