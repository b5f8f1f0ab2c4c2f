import ArgumentParser
import Foundation
import Glibc
import LullCommands
import LullImport

extension ImportTimersArguments: RunnableArguments {
    package func run() throws {
        let root = root.map(Self.trimmed) ?? ""
        let isRoot = geteuid() == 0 || !root.isEmpty
        let own = isRoot ? root + "/etc/systemd/system" : NSHomeDirectory() + "/.config/systemd/user"
        let chosen = folders.isEmpty ? [own] : folders.map(Self.trimmed)
        for folder in chosen {
            for name in try ImportFiles.names(in: folder)
            where name.hasSuffix(".timer") && !UnitFolders.isUnit(name) {
                Output.error(
                    "\(folder)/\(name.terminalSafe): skipped, as systemd does: a unit's name has only letters, digits and :-_.\\@."
                )
            }
        }
        let isOfUser = chosen.contains { $0.hasSuffix("/systemd/user") }
        let search = UnitFolders.search(root: root, ofUser: isOfUser)
        let isSystems = chosen.allSatisfy { folder in
            search.folders.contains(URL(fileURLWithPath: folder).standardizedFileURL.path)
        }
        let units = isSystems ? search : UnitFolders(folders: chosen, root: "")
        let starts = try units.starts()
        var timers = Set(chosen.flatMap(units.names).filter { $0.hasSuffix(".timer") })
        // `backup@home.timer` has no file of its own.
        for name in starts.wanted.keys where UnitFile.template(of: name).map(timers.contains) == true {
            timers.insert(name)
        }
        let found = try timers.sorted().compactMap { try timer($0, in: units, starts, chosen) }
        let everywhere = isSystems ? UnitFolders(folders: search.folders, root: root) : units
        let machine = UnitFolders(folders: chosen + everywhere.folders + Self.packages(root), root: root)
        let manifest = TimersImport(
            found, find: { (try? machine.unit(named: $0)) ?? nil }, starts: starts, takesAll: all,
            on: root.isEmpty ? ImportFiles.machine : ImportFiles.machine.ofAnotherDisk
        ).manifest()
        if found.isEmpty {
            throw Failure(
                "There is no timer in \(chosen.joined(separator: ", ")). Name the folder that has them: "
                    + "`systemctl cat NAME.timer` shows it.")
        }
        try target.write(manifest)
    }

    /// A masked timer has only a name; a template that has an instance is no timer itself.
    private func timer(_ name: String, in units: UnitFolders, _ starts: TimerStarts, _ chosen: [String])
        throws
        -> UnitFile?
    {
        if name.hasSuffix("@.timer"),
            starts.wanted.keys.contains(where: { UnitFile.template(of: $0) == name })
        {
            return nil
        }
        if let unit = try units.unit(named: name) { return unit }
        return UnitFile(name: name, path: (chosen.first ?? "") + "/" + name, bytes: [])
    }

    /// Folders that may have the service of a timer in a chosen folder.
    private static func packages(_ root: String) -> [String] {
        [
            "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
            "/lib/systemd/system",
        ]
        .map { root + $0 }
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
