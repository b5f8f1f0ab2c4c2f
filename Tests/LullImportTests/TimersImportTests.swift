import Foundation
import LullCalendar
import LullModel
import Testing

@testable import LullImport

/// systemd's timers with their services, and the manifest that comes of them.
struct TimersImportTests {
    private func unit(_ name: String, _ text: String) -> UnitFile {
        UnitFile(name: name, path: "units/" + name, bytes: Array(text.utf8))
    }

    /// A timer with a service that has nothing odd about it.
    private func timer(_ lines: String, service: String = "ExecStart=/bin/true", unit more: String = "")
        -> ImportedManifest
    {
        TimersImport(
            [
                unit("a.timer", "[Timer]\n" + lines + "\n"),
                unit("a.service", "[Unit]\n\(more)\n[Service]\n" + service + "\n"),
            ], on: Samples.machine
        ).manifest()
    }

    @Test func `a folder of timers becomes the manifest that is kept beside it`() throws {
        let folder = Samples.folder.appendingPathComponent("timers")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let units = try names.map { name in
            UnitFile(
                name: name, path: "timers/" + name,
                bytes: [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
        }
        let manifest = TimersImport(units, on: Samples.machine).manifest()
        try Samples.expect(manifest.text, isKeptIn: "timers.yaml")
        let read = try Samples.read(manifest)
        #expect(read.tasks.count == manifest.taskCount)
        #expect(manifest.leftOut == 2)
    }

    @Test(arguments: [
        ("minutely", "* * * * *"), ("hourly", "hourly"), ("weekly", "weekly Mon"),
        ("Quarterly", "*-1,4,7,10-1"),
        ("Mon..Fri 8:30", "Mon..Fri 08:30"), ("*:0/15", "*:0/15"), ("*-*-* 4:5:00", "*-*-* 04:05:00"),
        ("Sun *-*-1..7 18:00", "Sun *-*-1..7 18:00"), ("*-*~1 03:00", "*-*~1 03:00"),
    ])
    func `a calendar is one that the manifest knows`(value: String, text: String) throws {
        #expect(try UnitCalendar(value).text == text)
    }

    @Test(arguments: ["2027-01-01 00:00", "*-*-* 00:00:30", "never", "25:00", ""])
    func `a calendar that the manifest does not know is refused`(value: String) {
        #expect(throws: AtFault.self) { try UnitCalendar(value) }
    }

    @Test func `a zone behind the time is the task's`() throws {
        #expect(try UnitCalendar("daily UTC").zone == "UTC")
        let read = try Samples.read(timer("OnCalendar=04:00 Europe/Berlin"))
        #expect(read.tasks.first?.timezone == "Europe/Berlin")
    }

    @Test(arguments: [
        ("90", "90s"), ("1h 30min", "90m"), ("2d", "2d"), ("1w", "1w"), ("5min20s", "320s"), ("100ms", "1s"),
        ("1h30m", "90m"), ("0", "0s"),
    ])
    func `a span is one of the manifest's`(value: String, text: String) throws {
        #expect(UnitSpan.text(try #require(UnitSpan.seconds(value))) == text)
    }

    @Test func `what failed is not tried again before its next time`() throws {
        let read = try Samples.read(timer("OnUnitActiveSec=10min", service: "ExecStart=/bin/false"))
        let task = try #require(read.tasks.first)
        #expect(task.retry == .init(first: .seconds(600), max: .seconds(600)))
        // Nor is what somebody adds to the file beside it launched every second.
        let text = timer("OnCalendar=daily").text.replacing("at: daily", with: "repeat: 1h")
            .replacing("        missed: skip\n", with: "")
        let added = try #require(Samples.reader.read(text: Array(text.utf8), path: "jobs.yaml").manifest)
        #expect(added.tasks.first?.repeat == .seconds(3600))
        #expect(added.tasks.first?.retry == .init())
    }

    @Test(arguments: ["infinity", "x", "", "5 parsecs", "1000000000y 1000000000y", "-5"])
    func `what is no span is none`(value: String) {
        #expect(UnitSpan.seconds(value) == nil)
    }

    @Test(arguments: [
        (#"/bin/a "b c" 'd e' f\sg"#, ["/bin/a", "b c", "d e", "f g"]),
        (#"-/bin/a %% %n"#, ["/bin/a", "%", "u.service"]),
        (#"@/bin/a zero one"#, ["/bin/a", "one"]), (#"/bin/a "" x""#, []), ("/bin/a %z", []), ("-", []),
    ])
    func `a command has the words that systemd gives it`(line: String, words: [String]) throws {
        let names = UnitNames(name: "u.service", user: "root")
        guard !words.isEmpty else {
            #expect(throws: UnitCommand.Fault.self) { try UnitCommand(line, unit: names) }
            return
        }
        #expect(try UnitCommand(line, unit: names).words == words)
    }

    @Test(arguments: [
        (#"/bin/a ${B} $C 'd "$$e`'"#, #"/bin/a "${B}" $C "d \"\$e\`""#), (#":/bin/a ${B}"#, "/bin/a '${B}'"),
        (#"-/bin/a it\'s"#, #"{ /bin/a 'it'\''s' || true; }"#),
    ])
    func `what the shell is told means what systemd means`(line: String, text: String) throws {
        #expect(try UnitCommand(line, unit: UnitNames(name: "u.service", user: nil)).shellText == text)
    }

    @Test func `what has no counterpart is said, with its line`() throws {
        let manifest = timer(
            "OnCalendar=daily\nWakeSystem=yes", service: "ExecStart=/bin/true\nMemoryMax=1G\nUMask=077")
        #expect(manifest.leftOut == 0)
        #expect(
            manifest.notes.contains {
                $0.line == 3 && $0.path == "units/a.timer" && $0.message.contains("wakes")
            })
        #expect(manifest.notes.contains { $0.line == 5 && $0.message.contains("MemoryMax=1G, UMask=077") })
        #expect(manifest.text.contains("# units/a.timer:3: lull: lull wakes"))
    }

    @Test func `an empty value takes back what is above it, and a drop-in comes last`() throws {
        var timer = unit("a.timer", "[Timer]\nOnCalendar=daily\n")
        timer.append(Array("[Timer]\nOnCalendar=\nOnCalendar=hourly\n".utf8), from: "units/a.timer.d/x.conf")
        let manifest = TimersImport(
            [timer, unit("a.service", "[Service]\nExecStart=/bin/true\n")], on: Samples.machine
        ).manifest()
        #expect(manifest.text.contains("at: hourly"))
        #expect(!manifest.text.contains("daily"))
    }

    @Test func `a user's timers run as who runs the host`() throws {
        let file = UnitFile(
            name: "a.timer", path: "a.timer", bytes: Array("[Timer]\nOnCalendar=daily\n".utf8), isOfUser: true
        )
        let manifest = TimersImport(
            [file, unit("a.service", "[Service]\nExecStart=/bin/true\n")], on: Samples.machine
        ).manifest()
        #expect(try Samples.read(manifest).apps.map(\.user) == [nil])
    }

    @Test func `external power is waited for`() throws {
        let read = try Samples.read(timer("OnCalendar=daily", unit: "ConditionACPower=true"))
        #expect(read.tasks.first?.requires.externalPower == true)
        #expect(read.tasks.first?.requires.idle == false)
    }
}
