import ArgumentParser
import Foundation
import Glibc
import LullConditions
import LullControl
import LullHost
import LullManifest
import LullModel
import Synchronization

/// Where a command finds the host's state, its manifest and its plugins; the same for all commands.
package struct StateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder with the history, the lock and the control socket.",
            discussion:
                "Default $LULL_STATE, or else /var/lib/lull for root and the XDG state folder for others.",
            valueName: "dir"))
    package var state: String?

    @Option(
        help: ArgumentHelp(
            "A folder in which plugins are looked up by name; may be given more than once.",
            discussion:
                "Default $LULL_PLUGINS (folders separated by colons), or else the folder of `lull` and ../lib/lull/plugins.",
            valueName: "dir"))
    package var plugins: [String] = []

    @Option(
        help: ArgumentHelp("Read sysfs in this folder, to try another host's conditions.", valueName: "dir"))
    package var sysfs = "/sys"

    @Option(
        help: ArgumentHelp("Read procfs in this folder, to try another host's conditions.", valueName: "dir"))
    package var procfs = "/proc"

    package init() {}

    package var folder: StateFolder {
        StateFolder(option: state, environment: ProcessInfo.processInfo.environment, isRoot: geteuid() == 0)
    }

    /// The state folder; throws if the path can't be one. It may not exist yet.
    package func checkedFolder() throws -> StateFolder {
        let folder = self.folder
        do {
            try folder.check()
        } catch {
            throw Failure(error.message)
        }
        return folder
    }

    /// As `Phrases.current`, with remedies that name the state that was given.
    package var phrases: Phrases {
        var phrases = Phrases.current
        phrases.state = state
        return phrases
    }

    package func remedy(_ text: String) -> String { phrases.remedy(text) }

    /// Where `lull` is: beside this program, or in `bin` where this one is installed in `libexec/lull`.
    package static var programFolder: String {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let installed = "/libexec/lull"
        return folder.hasSuffix(installed) ? folder.dropLast(installed.count) + "/bin" : folder
    }

    /// The name of the user who runs this command, or its number where it has none.
    package static var user: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
            return "user \(geteuid())"
        }
        return String(cString: name)
    }

    package var pluginPath: [String] {
        if !plugins.isEmpty { return plugins.map(absolute) }
        if let variable = ProcessInfo.processInfo.environment["LULL_PLUGINS"], !variable.isEmpty {
            return variable.split(separator: ":").map { absolute(String($0)) }
        }
        let program = Self.programFolder
        return [program, URL(fileURLWithPath: program + "/../lib/lull/plugins").standardizedFileURL.path]
    }

    package var worker: String {
        if let variable = ProcessInfo.processInfo.environment["LULL_WORKER"], !variable.isEmpty {
            return absolute(variable)
        }
        let beside = Self.programFolder + "/lull-worker"
        let installed = URL(fileURLWithPath: Self.programFolder + "/../libexec/lull/lull-worker")
            .standardizedFileURL.path
        return access(beside, X_OK) == 0 ? beside : access(installed, X_OK) == 0 ? installed : beside
    }

    /// The command of `lull` that shows its input on the desktop.
    package static let desktopCommand = "desktop-notice"

    /// The command line of this program that shows its input on the desktop.
    package static var desktopProgram: [String] {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return [path ?? "/proc/self/exe", desktopCommand]
    }

    package var roots: ConditionRoots {
        ConditionRoots(sysfs: absolute(sysfs), procfs: absolute(procfs), stateFolder: folder.path)
    }

    /// `isInput`: `-` is standard input.
    package static func manifestHelp(_ what: String, isInput: Bool = false) -> ArgumentHelp {
        ArgumentHelp(
            "\(what), its folder\(isInput ? ", or `-` for standard input" : ""); without it ./jobs.yaml.",
            discussion:
                "If there is no ./jobs.yaml: the one that the last host of this state ran, or else /etc/lull for root."
        )
    }

    /// Tells the user which manifest a command uses if it was given none and the current folder has none.
    package func noteManifest(_ file: String?) {
        guard file == nil else { return }
        let path = manifestPath(nil)
        guard path != absolute("jobs.yaml") else { return }
        let why =
            path == folder.lastManifest ? "which the last host of \(folder.path) ran" : "the machine's own"
        Output.error("note: there is no jobs.yaml here, so this is about \(displayed(path)), \(why).")
    }

    /// Tells the user that a host runs the same manifest with another state, and that this command does not reach it.
    package func noteOtherHost(running manifest: String) {
        guard let other = RunningHosts().other(running: absolute(manifest), than: folder.path) else { return }
        Output.error(
            "note: a host runs \(manifest) with its state in \(other.state), but this is about the state in "
                + "\(folder.path). Name the other with `--state \(other.state)`.")
    }

    /// Whether a host answers for the state.
    package var isHostRunning: Bool { (try? ControlClient(stateFolder: folder.path)) != nil }

    /// Tells the user that a running host judges by its own machine, whatever paths the command was given.
    func noteConditions() {
        guard sysfs != "/sys" || procfs != "/proc" else { return }
        Self.conditionsNoted.withLock { isNoted in
            guard !isNoted else { return }
            isNoted = true
            Output.error(
                "note: the host that uses \(folder.path) answers, and judges by its own conditions. `--sysfs` and `--procfs` "
                    + "count only if no host runs; otherwise give them to `lull run`.")
        }
    }
    private static let conditionsNoted = Mutex(false)

    /// The manifest of a command that asks about this state or changes it: FILE, else what the last host of the state ran, for
    /// the ./jobs.yaml of some other folder would end the requests of this state. Nil: no host has run.
    package func manifestOfState(_ file: String?) -> String? {
        if let file { return file }
        guard let last = folder.lastManifest, access(last, F_OK) == 0 else { return nil }
        let here = absolute("jobs.yaml")
        if last != here, access(here, F_OK) == 0 {
            Self.stateNoted.withLock { isNoted in
                guard !isNoted else { return }
                isNoted = true
                Output.error(
                    "note: this is about \(displayed(last)), which the last host of \(folder.path) ran, and not about "
                        + "./jobs.yaml. `--manifest jobs.yaml` names that.")
            }
        }
        return last
    }
    private static let stateNoted = Mutex(false)

    /// FILE, else ./jobs.yaml, else what the last host of this state ran, else for root /etc/lull.
    package func manifestPath(_ file: String?) -> String {
        if let file { return absolute(file) }
        let here = absolute("jobs.yaml")
        if access(here, F_OK) == 0 { return here }
        if let last = folder.lastManifest { return last }
        let isThere = ["jobs.yaml", "jobs.d"].contains { access(Self.systemFolder + "/" + $0, F_OK) == 0 }
        return geteuid() == 0 && isThere ? Self.systemFolder : here
    }

    /// Where a machine's own manifest is: `jobs.yaml`, `jobs.d/*.yaml`, or both.
    package static let systemFolder = "/etc/lull"

    package func read(_ file: String?) -> ManifestResult {
        let (folder, path) = (self.folder, manifestPath(file))
        var reader = ManifestReader(pluginPath: pluginPath)
        // Reads it as the host of this state will.
        reader.inForce = { folder.manifest(lastInForceFrom: path) }
        return reader.read(path: displayed(path))
    }

    /// Reads the manifest, prints what is wrong with it to standard error, and ends with 1 when it can't be used.
    package func readManifest(_ file: String?, showsWarnings: Bool) throws -> Manifest {
        try self.manifest(of: read(file), manifestPath(file), showsWarnings: showsWarnings)
    }

    package func manifest(of result: ManifestResult, _ path: String, showsWarnings: Bool) throws -> Manifest {
        let count = show(result, showsWarnings: showsWarnings)
        guard let manifest = result.manifest else {
            Output.error("\(displayed(path)): \(Phrase.count(count, "error")).")
            throw ExitCode(1)
        }
        return manifest
    }

    /// Prints the problems of a manifest, and returns how many errors it has.
    @discardableResult
    package func show(_ result: ManifestResult, showsWarnings: Bool) -> Int {
        var problems = result.diagnostics.map(ManifestNote.init)
        // Shows as many problems as `lull check` finds.
        if result.manifest == nil, let draft = result.draft {
            problems += SettingsCheck(draft, places: KeyPlaces(of: draft)).notes(beside: result.diagnostics)
        }
        let shown = problems.inOrder(of: (result.manifest ?? result.draft)?.files ?? [])
            .filter { showsWarnings || $0.severity == .error }
        for text in NoteList(shown).rendered(for: .error) { Output.error(styled: text) }
        return problems.count { $0.severity == .error }
    }

    package func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// Relative to the current folder where the path is in it: as a person typed it, and as an editor can open it.
    package func displayed(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }
}
