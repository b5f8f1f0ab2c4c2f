import CLullShims
import Glibc
import LullTransfers

/// Permanently drops what transfers do not need: other users' rights, and all files but the folders, the certificates
/// and those of name resolution.
enum Confinement {
    struct Fault: Error { let sentence: String }

    /// Certificates, and what the C library reads to find hosts. Links are followed, so that these are what they lead to.
    private static let readable = [
        "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates", "/usr/lib/ssl", "/etc/resolv.conf", "/etc/hosts",
        "/etc/host.conf",
        "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/ld.so.cache", "/run/systemd/resolve",
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/dev/null", "/dev/urandom",
    ]

    /// Call it while there is one thread. Returns the folders, opened; one that is missing is made.
    static func enter(as user: TransferUser?, folders: [String]) throws(Fault) -> [String: TransferFolder] {
        if let user, geteuid() == 0 || user.number != geteuid() {
            if user.number != 0 {
                try demand(lull_become_numbers(user.number, user.group), "become the user")
            }
        }
        var opened: [String: TransferFolder] = [:]
        for path in folders {
            switch TransferFolder.open(path) {
            case .success(let folder): opened[path] = folder
            // The app's state may be gone; a transfer that needs the folder will report it.
            case .failure(let fault): LullTransfer.complain(fault.sentence)
            }
        }
        try demand(lull_bound_capabilities(), "bound its capabilities")
        try demand(lull_drop_capabilities(), "drop its capabilities")
        try demand(lull_no_new_privileges(), "prevent new privileges")
        // For each transfer its part, its side file, an upload, a socket, and two while a name is looked up.
        try demand(lull_limit_descriptors(4096), "limit its open files")
        try limitFiles(to: opened.values.map(\.descriptor))
        lull_hide_process()
        return opened
    }

    private static func limitFiles(to folders: [Int32]) throws(Fault) {
        let abi = lull_landlock_abi()
        // The kernel has no Landlock; the host reports that with all that is not enforced.
        guard abi > 0 else { return }
        let reads = Int32(LULL_READS_LIMITED)
        let rules = lull_landlock_begin(abi, reads, 1, 0)
        try demand(rules < 0 ? -rules : 0, "use Landlock")
        let certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap(Environment.value)
        for path in readable + certificates {
            let fault = lull_landlock_allow(rules, abi, path, Int32(LULL_MAY_READ), reads, 1)
            // A path that is not there can't be reached anyway.
            if fault != ENOENT, fault != ENOTDIR, fault != EACCES { try demand(fault, "read \(path)") }
        }
        for descriptor in folders {
            // By the very folder that was opened: its name may lead elsewhere by now.
            let access = Int32(LULL_MAY_READ | LULL_MAY_WRITE)
            let fault = lull_landlock_allow(rules, abi, "/proc/self/fd/\(descriptor)", access, reads, 1)
            try demand(fault, "use the transfers' folder")
        }
        try demand(lull_landlock_enter(rules), "enter Landlock")
    }

    private static func demand(_ fault: Int32, _ what: String) throws(Fault) {
        guard fault != 0 else { return }
        throw Fault(sentence: "lull-transfer can't \(what): \(String(cString: strerror(fault))).")
    }
}
