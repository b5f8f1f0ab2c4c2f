import CBenchmarks
import Foundation
import LullModel
import LullSystem

/// Debian's cron on the same lines, if it is installed and this process is root. It runs in a mount namespace of its own, so
/// that the machine's crontabs are neither run nor changed.
struct CronReference {
    /// `LULL_CRON` names a cron that is unpacked but not installed.
    private let program = ProcessInfo.processInfo.environment["LULL_CRON"] ?? "/usr/sbin/cron"
    private static let script = """
        mount -t tmpfs tmpfs /var/spool && mkdir -p /var/spool/cron/crontabs &&
        { echo 'MAILTO=""'; cat "$1"; } > /var/spool/cron/crontabs/root && chmod 600 /var/spool/cron/crontabs/root &&
        mount -t tmpfs tmpfs /etc/cron.d && mount -t tmpfs tmpfs /run &&
        { [ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab; } && exec "$0" -f
        """

    /// When the last line of the minute has begun; nil if cron is missing, can't be run, or does not start all in time.
    func last(of crontab: String, _ stamps: OpaquePointer, lines: Int) throws -> Double? {
        guard geteuid() == 0, access(program, X_OK) == 0 else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = [
            "--mount", "--propagation", "private", "/bin/sh", "-c", Self.script, program, crontab,
        ]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        // Not within the last seconds of a minute, because cron reads its files first.
        while Clock.wall.milliseconds % 60_000 > 55_000 { usleep(50_000) }
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        benchmarks_stamps_clear(stamps)
        let due = (Clock.wall.milliseconds / 60_000 + 1) * 60_000
        let start = Clock.monotonic.nanoseconds + (due - Clock.wall.milliseconds) * 1_000_000
        while Int(benchmarks_stamps_count(stamps)) < lines {
            usleep(20_000)
            guard process.isRunning, Clock.wall.milliseconds < due + 50_000 else { return nil }
        }
        return (0..<UInt32(lines)).map { Double(benchmarks_stamps_at(stamps, $0) - start) }.max()
    }
}
