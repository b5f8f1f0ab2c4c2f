import Foundation
public import LullConditions
public import LullScheduler

extension SchedulerOptions {
    /// Sets the identity of this host and of its current boot.
    ///
    /// The machine ID stays when the host is renamed; without one, the host's name is used.
    public mutating func identify(roots: ConditionRoots, machineID: String = "/etc/machine-id") {
        host = Self.line(of: machineID) ?? ProcessInfo.processInfo.hostName
        boot = Self.line(of: roots.procfs + "/sys/kernel/random/boot_id") ?? ""
    }

    private static func line(of path: String) -> String? {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        let line = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return line.isEmpty ? nil : line
    }
}
