import Foundation
public import LullConditions
public import LullScheduler

extension SchedulerOptions {
    /// Says which host this is, and which of its boots.
    ///
    /// The machine's own number stays when its name changes; where there is none, it is known by its name.
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
