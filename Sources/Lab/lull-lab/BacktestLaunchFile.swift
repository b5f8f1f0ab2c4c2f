import Foundation
import LullCommands

/// The launches of a backtest as a file for a scorer: `app,unix_seconds`.
struct BacktestLaunchFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Checks the path, before the work is done rather than after it.
    func check() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
            FileManager.default.isWritableFile(atPath: folder)
        else {
            throw Failure(
                "Can't write \(path): \(folder) is not a folder that you may write to. Name a file in one that is."
            )
        }
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw Failure("Can't write \(path): it is a folder. Name a file in it.")
        }
    }

    func write(_ run: BacktestRunResult, of world: BacktestWorld) throws {
        var text = "app,unix_seconds\n"
        for (subject, times) in zip(world.scored, run.launches) {
            let name = Self.field(subject.name)
            for time in times { text += "\(name),\(Int64(time))\n" }
        }
        do {
            // Under another name first, so that nobody finds half a file.
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("Can't write \(path): \(error.localizedDescription) Name another file.")
        }
    }

    /// Quoted if it has to be.
    private static func field(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
