import ArgumentParser
import Foundation
import Glibc
import LullImport

struct ImportTimersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timers", abstract: "Make a manifest of systemd's timers.",
        discussion: """
            Takes every .timer of the folders, with the service that it starts and the drop-ins of both. Without DIR \
            those that an administrator writes: /etc/systemd/system for root, ~/.config/systemd/user for others. \
            Services are also looked for in the folders of packages.

            Exits with 1 when a timer could not be carried over.

            Example:
              lull import timers --out /etc/lull/jobs.yaml
            """)

    @Argument(help: ArgumentHelp("Folders with .timer and .service files.", valueName: "dir"))
    var folders: [String] = []
    @OptionGroup var target: ImportTarget

    func run() throws {
        let own = NSHomeDirectory() + "/.config/systemd/user"
        let chosen = folders.isEmpty ? [geteuid() == 0 ? "/etc/systemd/system" : own] : folders
        var units = try chosen.flatMap { try ImportFiles.units(in: $0, endings: [".timer", ".service"]) }
        let packages = ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"]
        for folder in packages
        where !chosen.contains(folder) && FileManager.default.fileExists(atPath: folder) {
            units += try ImportFiles.units(in: folder, endings: [".service"])
        }
        let manifest = TimersImport(units, on: ImportFiles.machine).manifest()
        if manifest.taskCount == 0, manifest.leftOut == 0 {
            throw Failure(
                "There is no timer in \(chosen.joined(separator: ", ")). Name the folder that has them: "
                    + "`systemctl cat NAME.timer` shows it.")
        }
        try target.write(manifest)
    }
}

extension ImportFiles {
    /// The units of a folder, with their drop-ins.
    static func units(in folder: String, endings: [String]) throws -> [UnitFile] {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let isOfUser = folder.hasSuffix("/systemd/user")
        return try names(in: folder).compactMap { name -> UnitFile? in
            guard endings.contains(where: name.hasSuffix), let bytes = try unit(folder + "/" + name) else {
                return nil
            }
            var unit = UnitFile(name: name, path: folder + "/" + name, bytes: bytes, isOfUser: isOfUser)
            let dropIns = folder + "/" + name + ".d"
            let more = (try? FileManager.default.contentsOfDirectory(atPath: dropIns)) ?? []
            for name in more.sorted() where name.hasSuffix(".conf") {
                guard let bytes = try self.unit(dropIns + "/" + name) else { continue }
                unit.append(bytes, from: dropIns + "/" + name)
            }
            return unit
        }
    }

    /// Nil: a link to nowhere, or to /dev/null, as masked units are.
    private static func unit(_ path: String) throws -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= UnitFile.limit else {
            throw Failure("\(path) is larger than any unit. Check that this is the right folder.")
        }
        return try contents(of: path)
    }
}
