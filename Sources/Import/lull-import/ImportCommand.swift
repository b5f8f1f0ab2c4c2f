import ArgumentParser
import Foundation
import Glibc
import LullCommands
import LullImport

extension ImportCrontabArguments: RunnableArguments {
    package func run() throws {
        var paths = files
        if paths.isEmpty {
            guard isatty(STDIN_FILENO) == 0 else {
                throw ValidationError(
                    "Name a crontab, or pipe yours: crontab -l | lull import crontab -")
            }
            paths = ["-"]
        }
        let crontabs = try paths.flatMap(ImportFiles.crontabs).map { file in
            var file = file
            if system { file.format = .system }
            if let user { file.format = .user(user) }
            return file
        }
        let found = ImportFiles.installedCron()
        let kind = try cron.map(Self.kind(named:)) ?? found.kind
        let how =
            cron != nil ? "as --cron says" : found.from.hasPrefix("/") ? "which is \(found.from)" : found.from
        Output.error("Read by the rules of \(kind.name): \(how).")
        // Without a user's name root's host would run the jobs as an account of their own.
        let reader = CrontabImport(
            on: ImportFiles.machine, cron: kind, takesAll: all, owner: geteuid() == 0 ? "root" : nil)
        let manifest: ImportedManifest
        do throws(CrontabImport.Undecided) {
            manifest = try reader.manifest(from: crontabs)
        } catch {
            throw Failure(error.message)
        }
        try target.write(manifest)
    }
    private static func kind(named name: String) throws -> CronKind {
        guard let kind = CronKind(rawValue: name) else {
            Output.error("Error: --cron is debian or cronie.")
            throw ExitCode(64)
        }
        return kind
    }
}
