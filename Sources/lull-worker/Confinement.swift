import CLullShims
import Glibc
import LullWire

/// Gives up what the app may not use or reach, for good, before any of the plugin's code is in the process.
///
/// While there is one thread: Landlock and seccomp hold for the thread that enters them and for what it starts. What can't
/// be given up as the host demands is no reason to go on without: the worker refuses.
struct Confinement {
    struct Place {
        let path: String
        let isWritable: Bool
    }

    let wanted: WireConfinement
    let places: [Place]

    init(_ wanted: WireConfinement, places: [Place]) {
        self.wanted = wanted
        self.places = places
    }

    func enter() {
        limitResources()
        // As the host still: the way to a place may be barred to the user.
        let rules = wanted.isConfined ? makeRules() : nil
        if wanted.isConfined { demand(lull_bound_capabilities(), "capabilities can't be bounded") }
        if !wanted.user.isEmpty { become(wanted.user) }
        guard wanted.isConfined else { return }
        demand(lull_drop_capabilities(), "capabilities can't be dropped")
        demand(lull_no_new_privileges(), "new privileges can't be ruled out")
        if let rules { demand(lull_landlock_enter(rules), "Landlock can't be entered") }
        guard lull_can_filter_calls() != 0 else { return }
        let host = lull_host()
        demand(
            lull_filter_calls(wanted.hasNetwork ? 0 : 1, host, getpgid(host)),
            "system calls can't be filtered")
    }

    private func limitResources() {
        if wanted.descriptors > 0 {
            demand(lull_limit_descriptors(UInt64(wanted.descriptors)), "open files can't be limited")
        }
        if wanted.data > 0 { demand(lull_limit_data(wanted.data), "memory can't be limited") }
        if wanted.processes > 0 {
            demand(lull_limit_processes(UInt64(wanted.processes)), "processes can't be limited")
        }
    }

    /// Nil where the kernel has no Landlock; the host knows, and says so where it says what is enforced.
    private func makeRules() -> Int32? {
        let abi = lull_landlock_abi()
        guard abi > 0 else { return nil }
        let (reads, writes): (Int32, Int32) = (wanted.limitsReading ? 1 : 0, wanted.limitsWriting ? 1 : 0)
        let rules = lull_landlock_begin(abi, reads, writes, wanted.hasNetwork ? 0 : 1)
        guard rules >= 0 else { refuse(.confinement, sentence("Landlock can't be used", -rules)) }
        for place in places {
            let access = place.isWritable ? LULL_MAY_READ | LULL_MAY_WRITE : LULL_MAY_READ
            let fault = lull_landlock_allow(rules, abi, place.path, Int32(access), reads, writes)
            // What is not there can't be reached anyway.
            if fault != 0, fault != ENOENT, fault != ENOTDIR {
                refuse(.confinement, sentence("access to \(place.path) can't be given", fault))
            }
        }
        return rules
    }

    private func become(_ user: String) {
        switch lull_become_user(user) {
        case 0: break
        case ENOENT:
            refuse(
                .confinement,
                "There is no user '\(user)'. Make it with `useradd --system \(user)`, or mend `user`.")
        case EPERM:
            refuse(
                .confinement,
                "The app is to run as '\(user)', and only root may become another user. Run lull as root or as '\(user)'."
            )
        case let fault: refuse(.confinement, sentence("the worker can't become '\(user)'", fault))
        }
    }

    private func demand(_ fault: Int32, _ what: String) {
        if fault != 0 { refuse(.confinement, sentence(what, fault)) }
    }

    private func sentence(_ what: String, _ fault: Int32) -> String {
        "The app's limits are not kept on this machine: \(what) (\(String(cString: strerror(fault)))). "
            + "Mend that, or let the app go without with `limits: { privileges: keep }`."
    }
}
