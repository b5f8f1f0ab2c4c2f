import Foundation
import Glibc
import LullCommands
import LullConditions
import LullControl
import LullELF
import LullFleet
import LullHost
import LullModel
import LullSystem
import LullWorkers

/// Reads the facts, each from where a host reads it. It changes nothing, and waits for an answer at most two seconds.
extension MachineFacts {
    /// `needs`: facts that nothing needs are not looked for.
    init(_ options: StateOptions, for needs: MachineNeeds) {
        let roots = options.roots
        let host = Self.host(of: options.folder.path)
        let sensors = ConditionSensors(roots: roots)
        let conditions = sensors.current()
        let inotify = InotifyUse(procfs: roots.procfs)
        let taken = inotify.taken(by: geteuid(), without: host)
        func amount(_ shortage: FileShortage, _ used: Int) -> Amount? {
            inotify.most(shortage.setting).map { Amount(most: $0, used: used) }
        }
        let place = Self.nearest(to: options.folder.path)
        self.init(
            user: StateOptions.user,
            hasSystemd: access(roots.run + "/systemd/system", F_OK) == 0,
            isHostRunning: host != nil, groups: GroupSight(process: host),
            enforcement: .ofThisMachine, hasPressure: conditions.cpuPressure != nil,
            presence: conditions.presence, presenceSource: sensors.presenceSource,
            instances: amount(.instances, taken.instances), watches: amount(.watches, taken.watches),
            now: Clock.wall, isClockSynchronised: Clock.isSynchronised,
            hasZone: getenv("TZ").map { $0.pointee != 0 } ?? false
                || access(roots.etc + "/localtime", F_OK) == 0,
            state: options.folder.path, stateTrouble: Self.trouble(with: options.folder, place),
            room: DiskRoom(of: place), descriptors: Descriptors.most)
        if needs.fleet {
            fleetTrouble = FleetTrouble.ofThisMachine.map { Trouble(message: $0.message, fix: $0.fix) }
        }
        if !needs.brokers.isEmpty, !BrokerSession.hasLibrary {
            brokerTrouble = Trouble(message: BrokerSession.End.noLibrarySentence)
        }
        if !needs.transfers.isEmpty { transferTrouble = Self.transferTrouble(options) }
        if !needs.pushes.isEmpty { pageTrouble = Self.pageTrouble }
    }

    /// The process of the host that has the state; nil: there is none, or it can't be seen.
    private static func host(of state: String) -> Int32? {
        do throws(ControlError) {
            return try ControlClient(stateFolder: state, timeout: .seconds(2)).hostProcess
        } catch {
            return nil
        }
    }

    /// The folder, or the nearest existing folder above it, in which it would be made.
    private static func nearest(to folder: String) -> String {
        var path = folder
        while access(path, F_OK) != 0, path != "/" {
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        return path
    }

    private static func trouble(with folder: StateFolder, _ place: String) -> Trouble? {
        do throws(HostError) {
            try folder.check(isWritten: true)
        } catch {
            return Trouble(message: error.message)
        }
        guard access(place, W_OK | X_OK) != 0 else { return nil }
        return Trouble(
            message:
                "\(StateOptions.user) can't write \(place), so no host of that user can have its state in \(folder.path).",
            fix: "Name another folder with `--state`, or let that user write there.")
    }

    private static func transferTrouble(_ options: StateOptions) -> Trouble? {
        let host = HostConfiguration(
            goal: .service, state: options.folder, manifestPath: "", pluginPath: [], roots: options.roots,
            worker: options.worker)
        if let trouble = host.transferTrouble { return Trouble(message: trouble) }
        let missing = missingLibraries(of: host.transferer)
        guard !missing.isEmpty else { return nil }
        return Trouble(
            message: "\(host.transferer) can't be started without \(Phrase.list(missing)).",
            fix:
                "Install what has \(missing.count == 1 ? "it" : "them"): libcurl is in `apt-get install libcurl4`."
        )
    }

    /// The libraries that the program needs and the loader does not find.
    private static func missingLibraries(of program: String) -> [String] {
        guard let needs = try? LibraryNeeds(ofFile: program) else { return [] }
        let folders = needs.folders(
            from: URL(fileURLWithPath: program).resolvingSymlinksInPath()
                .deletingLastPathComponent().path)
        return needs.names.filter { name in
            guard !folders.contains(where: { access("\($0)/\(name)", R_OK) == 0 }) else { return false }
            guard let library = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return true }
            dlclose(library)
            return false
        }
    }

    private static var pageTrouble: Trouble? {
        let page = CompanionProgram(named: WebArguments.program)
        return access(page.path, X_OK) == 0 ? nil : Trouble(message: page.missing)
    }
}
