import CLullShims
import Glibc
import LullWire

/// Permanently drops what the app may not use or reach, before any of the plugin's code is in the process.
///
/// Entered while there is one thread: Landlock and seccomp hold for the thread that enters them and for what it starts.
/// If something can't be dropped as the host demands, the worker refuses to run.
struct Confinement {
    struct Place {
        let path: String
        let access: WireAccess

        var isWritable: Bool { access == .write || access == .writeBelow }
    }

    let wanted: WireConfinement
    let places: [Place]
    let stateFolder: String
    let plugin: String

    init(_ wanted: WireConfinement, places: [Place], of welcome: HostFrame.Welcome) {
        self.wanted = wanted
        self.places = places
        stateFolder = welcome.stateFolder
        plugin = welcome.plugin
    }

    func enter() {
        defer { lull_broker_leave() }
        limitResources()
        // Still as the host: the app's user may not reach a place's folder.
        let rules = wanted.isConfined ? LandlockRules(wanted, places) : nil
        let changeable = wanted.limitsWriting ? changeablePlaces() : []
        let ownsIPC = wanted.isConfined && lull_own_ipc() != 0
        if wanted.isConfined { demand(lull_bound_capabilities(), "capabilities can't be bounded") }
        becomeUser()
        guard wanted.isConfined else { return }
        demand(lull_drop_capabilities(), "capabilities can't be dropped")
        demand(lull_no_new_privileges(), "new privileges can't be prevented")
        if let rules { demand(lull_landlock_enter(rules.descriptor), "Landlock can't be entered") }
        if lull_can_filter_calls() != 0 { filterCalls(ownsIPC: ownsIPC, changeable) }
    }

    private func limitResources() {
        if wanted.descriptors > 0 {
            demand(lull_limit_descriptors(UInt64(wanted.descriptors)), "open files can't be limited")
        }
        if wanted.data > 0 { demand(lull_limit_data(wanted.data), "memory can't be limited") }
        if wanted.processes > 0 {
            demand(lull_limit_processes(UInt64(wanted.processes)), "processes can't be limited")
        }
        if wanted.isConfined { demand(lull_hold_cores(), "core files can't be limited") }
    }

    private func filterCalls(ownsIPC: Bool, _ changeable: [String]) {
        var flags: UInt32 = 0
        func set(_ flag: Int, _ isSet: Bool) { if isSet { flags |= UInt32(flag) } }
        let asks = lull_can_ask_broker() != 0
        set(Int(LULL_NO_NETWORK), !wanted.hasNetwork)
        set(Int(LULL_WRITES_LIMITED), wanted.limitsWriting)
        set(Int(LULL_SIGNALS_SCOPED), lull_landlock_abi() >= LULL_ABI_WITH_SIGNALS)
        set(Int(LULL_OWN_IPC), ownsIPC)
        set(Int(LULL_BROKER), asks)
        let host = lull_host()
        let listener = lull_filter_calls(flags, host, getpgid(host))
        demand(listener < 0 ? -listener : 0, "system calls can't be filtered")
        guard asks else { return }
        let paths = changeable.map { strdup($0) }
        defer { for path in paths { free(path) } }
        let fault = paths.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            lull_broker_hand_over(listener, $0.baseAddress, Int32($0.count))
        }
        demand(fault, "no supervisor answers for changes of files' modes")
    }

    /// Real paths below which the app may change what Landlock does not control, its own folder first; a `/` at the end
    /// leaves the folder itself out.
    private func changeablePlaces() -> [String] {
        places.filter(\.isWritable).compactMap { place in
            guard let path = realpath(place.path, nil) else { return nil }
            defer { free(path) }
            return String(cString: path) + (place.access == .writeBelow ? "/" : "")
        }
    }

    private func becomeUser() {
        if wanted.account != 0 {
            let name = "lull-\(wanted.account)"
            switch lull_become_account(wanted.account, name, stateFolder) {
            case 0: break
            case let fault: refuse(.confinement, sentence("the worker can't become \(name)", fault))
            }
        } else if !wanted.user.isEmpty {
            become(wanted.user)
        } else {
            return
        }
        demandReach()
    }

    /// The folders above a path, from the root on.
    private func foldersAbove(_ path: String) -> [String] {
        let slashes = path.indices.filter { path[$0] == "/" }
        return slashes.map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// Refuses to run if the app's user can't reach its folder or its plugin.
    private func demandReach() {
        let who = wanted.account != 0 ? "its own account, \(wanted.account)" : "'\(wanted.user)'"
        let needed = [(stateFolder, R_OK | W_OK | X_OK, "its folder"), (plugin, R_OK, "its plugin")]
        for (path, access, what) in needed
        where faccessat(AT_FDCWD, path, access, AT_EACCESS) != 0 && errno == EACCES {
            // A folder above it may bar the way, or it is for its owner alone.
            let barred = foldersAbove(path).first { faccessat(AT_FDCWD, $0, X_OK, AT_EACCESS) != 0 }
            refuse(
                .confinement,
                "The app runs as \(who), which may not reach \(what) \(path). "
                    + (barred.map { "Let others through the folder \($0) (`chmod o+x \($0)`)" }
                        ?? "Let others read it (`chmod o+r \(path)`)")
                    + ", put it elsewhere, or let the app run as the host does with `user: host`."
            )
        }
        // A TMPDIR of the host's user alone is of no use to another.
        if let folder = getenv("TMPDIR"), faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 {
            unsetenv("TMPDIR")
        }
    }

    private func become(_ user: String) {
        switch lull_become_user(user) {
        case 0: break
        case ENOENT:
            refuse(
                .confinement,
                "There is no user '\(user)'. Make it with `useradd --system \(user)`, or write another after `user:`."
            )
        case EPERM:
            refuse(
                .confinement,
                "The app should run as '\(user)', but only root may become another user. Run lull as root or as '\(user)'."
            )
        case let fault: refuse(.confinement, sentence("the worker can't become '\(user)'", fault))
        }
    }

    private func demand(_ fault: Int32, _ what: String) {
        if fault != 0 { refuse(.confinement, sentence(what, fault)) }
    }

    private func sentence(_ what: String, _ fault: Int32) -> String { Self.sentence(what, fault) }

    static func sentence(_ what: String, _ fault: Int32) -> String {
        "This machine can't enforce the app's limits: \(what) (\(String(cString: strerror(fault)))). "
            + "Fix that, or let the app run without limits: `limits: { privileges: keep }`."
    }
}
