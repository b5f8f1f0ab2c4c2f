import LullModel
import Testing

@testable import LullImport

/// The timers that systemd starts, and their settings that a manifest can't express.
struct TimerStartsTests {
    private func unit(_ name: String, _ text: String) -> UnitFile {
        UnitFile(name: name, path: "units/" + name, bytes: Array(text.utf8))
    }

    private func imported(
        _ starts: TimerStarts?, timer: String = "OnCalendar=daily", unit more: String = "",
        service: String = "ExecStart=/bin/true", asked: String = "", all: Bool = false
    ) -> ImportedManifest {
        let units = [
            unit("a.timer", "[Unit]\n\(more)\n[Timer]\n\(timer)\n[Install]\nWantedBy=timers.target\n"),
            unit("a.service", "[Unit]\n\(asked)\n[Service]\n\(service)\n"),
        ]
        return TimersImport(
            [units[0]], find: { UnitFile.named($0, among: units) }, starts: starts, takesAll: all,
            on: Samples.machine
        ).manifest()
    }

    private func starts(_ wanting: String...) -> TimerStarts {
        var starts = TimerStarts()
        starts.wanted["a.timer"] = Set(wanting)
        return starts
    }

    @Test func `a timer that is enabled is taken, and one that is not is named`() throws {
        #expect(imported(starts("timers.target")).taskCount == 1)
        #expect(imported(starts("b.service")).taskCount == 1)
        let left = imported(starts())
        #expect(left.taskCount == 0)
        #expect((left.leftOut, left.passedOver) == (0, 1))
        #expect(
            left.text.contains("# Left out, as systemd does not start them:\n#  a.timer: it is not enabled"))
        let taken = imported(starts(), all: true)
        #expect(taken.taskCount == 1)
        #expect(taken.notes.contains { $0.severity == .warning && $0.message.contains("not enabled") })
    }

    @Test func `what is masked, transient or for another boot is not started`() {
        var masked = starts("timers.target")
        masked.masked = ["a.timer"]
        #expect(imported(masked).notes.first?.message.contains("it is masked") == true)
        var transient = starts("timers.target")
        transient.transient = ["a.timer"]
        #expect(imported(transient).passedOver == 1)
        #expect(imported(starts("rescue.target")).passedOver == 1)
        #expect(imported(starts("rescue.target", "timers.target")).taskCount == 1)
    }

    @Test func `a timer's own condition decides, as far as it can be told`() {
        var starts = starts("timers.target")
        starts.holds = { condition, path in condition == "PathExists" ? path == "/there" : nil }
        #expect(imported(starts, unit: "ConditionPathExists=/there").taskCount == 1)
        #expect(imported(starts, unit: "ConditionPathExists=/gone").passedOver == 1)
        #expect(imported(starts, unit: "ConditionPathExists=!/there").passedOver == 1)
        #expect(imported(starts, unit: "ConditionVirtualization=!container").taskCount == 1)
    }

    @Test func `a service's condition is asked before each run, and is no failure`() throws {
        let text = imported(
            nil, service: "ExecCondition=/bin/ask it\nExecStart=/bin/work",
            asked: "ConditionFileNotEmpty=!/etc/off"
        ).text
        #expect(text.contains("[ ! -s /etc/off ] || exit 0; /bin/ask it || exit 0; /bin/work"))
    }

    @Test(arguments: [
        ("OnBootSec=2min\nOnUnitActiveSec=1h", "", "OnBootSec=2min is left out"),
        ("OnUnitActiveSec=1h\nRandomizedDelaySec=5min", "", "RandomizedDelaySec=5min is left out"),
        ("OnCalendar=daily\nOnBootSec=1\nOnActiveSec=2", "", "OnActiveSec=2 is left out"),
        (
            "OnCalendar=daily", "EnvironmentFile=-/etc/default/*.env",
            "the variables of -/etc/default/*.env are not carried over"
        ),
        ("OnCalendar=daily", "User=kim\nExecStartPre=+/bin/x", "more rights than the task's user"),
        ("OnCalendar=daily", "SuccessExitStatus=3 SIGTERM", "SIGTERM is not one"),
        ("OnCalendar=daily", "StandardOutput=append:/var/log/a", "StandardOutput=append:/var/log/a"),
        ("OnCalendar=daily", "Restart=on-abnormal", "Restart=on-abnormal"),
        ("OnCalendar=daily", "Restart=on-failure\nRestartSec=30", "without end"),
        ("OnCalendar=daily", "Group=adm\nUMask=077", "Group=adm, UMask=077"),
        ("OnCalendar=daily", "WorkingDirectory=-/srv", "without the folder the task fails"),
    ])
    func `nothing of a unit is dropped in silence`(timer: String, service: String, said: String) throws {
        let manifest = imported(nil, timer: timer, service: "ExecStart=/bin/true\n" + service)
        #expect(manifest.taskCount == 1)
        #expect(
            manifest.notes.contains { $0.severity == .warning && $0.message.contains(said) },
            "\(manifest.notes)")
        _ = try Samples.read(manifest)
    }

    @Test func `exit codes have their names, and what every service has is not named`() {
        let manifest = imported(
            nil, service: "ExecStart=/bin/true\nSuccessExitStatus=DATAERR 3 CONFIG NOTRUNNING",
            asked: "Conflicts=shutdown.target")
        #expect(manifest.text.contains("success: [0, 65, 3, 78, 7]"), "\(manifest.text)")
        #expect(manifest.notes.isEmpty, "\(manifest.notes)")
    }

    @Test(arguments: [
        ("Restart=on-failure", "", "attempts: 5, first: 1s, max: 1s"),
        (
            "Restart=on-failure\nRestartSec=2min", "StartLimitIntervalSec=10min\nStartLimitBurst=3",
            "attempts: 3, first: 2m, max: 2m"
        ),
        (
            "Restart=on-failure\nStartLimitInterval=1h\nStartLimitBurst=2", "",
            "attempts: 2, first: 1s, max: 1s"
        ),
        ("Restart=on-failure\nRestartSec=1h", "", "attempts: 100, first: 1h, max: 1h"),
    ])
    func `a service that systemd starts again is run again`(service: String, unit: String, retry: String)
        throws
    {
        let manifest = imported(nil, service: "ExecStart=/bin/true\n" + service, asked: unit)
        #expect(manifest.text.contains("retry: { \(retry) }"), "\(manifest.text)")
        #expect(manifest.notes.isEmpty == !retry.contains("100"), "\(manifest.notes)")
        let interval = imported(nil, timer: "OnUnitActiveSec=1h", service: "ExecStart=/bin/true\n" + service)
        #expect(interval.text.components(separatedBy: "retry:").count == 2, "\(interval.text)")
        _ = try Samples.read(manifest)
    }

    @Test(arguments: [
        ("OnCalendar=daily\nUnit=b.target", "", "it starts b.target, which is not a service"),
        ("OnCalendar=daily", "ExecStartPre=/bin/x %H", "the files do not say what '%H' stands for"),
    ])
    func `what would run otherwise than it did is not carried over`(
        timer: String, service: String, said: String
    ) {
        let manifest = imported(nil, timer: timer, service: "ExecStart=/bin/true\n" + service)
        #expect(manifest.taskCount == 0)
        #expect(
            manifest.notes.contains { $0.severity == .error && $0.message.contains(said) },
            "\(manifest.notes)")
    }
}
