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
        #expect(throws: UnitCalendar.Fault.self) { try UnitCalendar(value) }
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

    @Test func `times in two zones are two tasks`() throws {
        let manifest = timer(
            "OnCalendar=04:00 Europe/Berlin\nOnCalendar=05:00\nOnCalendar=06:00 Europe/Berlin")
        let tasks = try Samples.read(manifest).tasks
        #expect(tasks.map(\.timezone) == ["Europe/Berlin", nil])
        #expect(tasks.map { $0.at?.calendar.count } == [2, 1])
        #expect(manifest.notes.count == 1 && manifest.leftOut == 0)
    }

    @Test func `a line that systemd passes over takes no other with it`() throws {
        let manifest = timer("OnCalendar=Sun..Tue\nOnCalendar=05:00")
        #expect(try Samples.read(manifest).tasks.first?.at?.calendar.count == 1)
        #expect(manifest.notes.map(\.severity) == [.warning])
        #expect(timer("OnCalendar=Sun..Tue").taskCount == 0)
    }

    @Test func `an account that systemd makes up is one that Lull makes up`() throws {
        let app = try #require(
            try Samples.read(timer("OnCalendar=05:00", service: "DynamicUser=yes\nExecStart=/bin/true")).apps
                .first)
        #expect(app.user == nil && !app.limits.keepsPrivileges && app.hasOwnAccount)
        let named = try Samples.read(
            timer("OnCalendar=05:00", service: "DynamicUser=yes\nUser=www-data\nExecStart=/bin/true"))
        #expect(named.apps.first?.user == "www-data")
    }

    @Test func `the limits and the urgency of a service are those of its task`() throws {
        let units = [
            unit("a.timer", "[Timer]\nOnCalendar=05:00\n"),
            unit("a.service", "[Service]\nExecStart=/bin/a\n"),
            unit("b.timer", "[Timer]\nOnCalendar=05:00\n"),
            unit(
                "b.service",
                "[Service]\nExecStart=/bin/b\nMemoryMax=1536M\nCPUQuota=250%\nTasksMax=40\nIOSchedulingClass=idle\n"
            ),
            unit("c.timer", "[Timer]\nOnCalendar=05:00\n"),
            unit("c.service", "[Service]\nExecStart=/bin/c\nMemoryMax=infinity\nCPUQuota=x\n"),
        ]
        let manifest = TimersImport(units, on: Samples.machine).manifest()
        let apps = try Samples.read(manifest).apps
        #expect(apps.map(\.identifier.text) == ["timers.root"])
        let tasks = try #require(apps.first).tasks
        #expect(tasks.map(\.identifier.text) == ["timers.root.a", "timers.root.b", "timers.root.c"])
        var limits = RunLimits()
        (limits.memory, limits.cpu, limits.processes) = (1536 << 20, 2.5, 40)
        #expect(tasks.map(\.limits) == [nil, limits, nil])
        #expect(tasks.map(\.ionice) == [.normal, .idle, .normal])
        #expect(manifest.notes.map(\.message) == ["'x' is not a share of a processor"])
    }

    @Test func `a unit that a failure starts is a notice that starts it`() throws {
        let manifest = timer("OnCalendar=05:00", unit: "OnFailure=mail@%n.service page.service")
        // Whether systemctl exists depends on the machine.
        let read = Samples.reader.read(text: Array(manifest.text.utf8), path: "jobs.yaml").manifest
        let task = try #require(read?.tasks.first)
        let words = ["/usr/bin/systemctl", "start", "--no-block", "mail@a.service.service", "page.service"]
        #expect(task.notify.map(\.target) == [.command(words)])
        #expect(task.notify.first?.on == [.failed])
        #expect(manifest.notes.isEmpty)
    }

    @Test func `what a machine and its users are called is written out`() throws {
        let machine = ImportMachine(
            isUser: { _ in true }, isZone: { _ in false }, sendsMail: false,
            home: { "/home/" + ($0 ?? "me") },
            hostName: "web1.example.org")
        func run(_ name: String, isOfUser: Bool) throws -> String {
            let units = [
                ("\(name).timer", "[Timer]\nOnCalendar=05:00\n"),
                ("\(name).service", "[Service]\nUser=kim\nExecStart=/bin/x %H %l %h\n"),
            ]
            let files = units.map {
                UnitFile(name: $0.0, path: $0.0, bytes: Array($0.1.utf8), isOfUser: isOfUser)
            }
            return TimersImport(files, on: machine).manifest().text
        }
        #expect(try run("a", isOfUser: false).contains("[/bin/x, web1.example.org, web1, /home/kim]"))
        #expect(try run("a", isOfUser: true).contains("/home/me]"))
        let other = TimersImport(
            [
                unit("a.timer", "[Timer]\nOnCalendar=05:00\n"),
                unit("a.service", "[Service]\nExecStart=/bin/x %H\n"),
            ],
            on: machine.ofAnotherDisk
        ).manifest()
        #expect(other.leftOut == 1)
    }

    @Test func `what failed is not tried again before its next time`() throws {
        let read = try Samples.read(timer("OnUnitActiveSec=10min", service: "ExecStart=/bin/false"))
        let task = try #require(read.tasks.first)
        #expect(task.retry == .init(first: .seconds(600), max: .seconds(600)))
        // A task with `repeat` in the same file keeps the default retry.
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
            "OnCalendar=daily\nWakeSystem=yes", service: "ExecStart=/bin/true\nProtectHome=yes\nUMask=077")
        #expect(manifest.leftOut == 0)
        #expect(
            manifest.notes.contains {
                $0.line == 3 && $0.path == "units/a.timer" && $0.message.contains("wake a sleeping")
            })
        #expect(manifest.notes.contains { $0.line == 5 && $0.message.contains("ProtectHome=yes, UMask=077") })
        #expect(manifest.text.contains("# units/a.timer:3: lull: lull does not wake"))
    }

    @Test(arguments: [
        ("EnvironmentFile=/etc/default/a", ["/etc/default/a"]),
        ("EnvironmentFile=-/etc/default/a b", ["-/etc/default/a b"]),
        ("EnvironmentFile=/a\nEnvironmentFile=\nEnvironmentFile=-/b\nEnvironmentFile=/c", ["-/b", "/c"]),
        ("EnvironmentFile=-/etc/%p/%%u", ["-/etc/a/%u"]), ("EnvironmentFile=/etc/%z", []),
        ("EnvironmentFile=/etc/[ab]", []), ("EnvironmentFile=etc/a", []), ("EnvironmentFile=-", []),
    ])
    func `a file of variables is read at each run`(lines: String, files: [String]) throws {
        let manifest = timer("OnCalendar=daily", service: "ExecStart=/bin/true\n" + lines)
        let task = try #require(try Samples.read(manifest).tasks.first)
        guard case .object(let settings) = task.settings else { return }
        switch settings["env_file"] {
        case .string(let file): #expect([file] == files)
        case .array(let list): #expect(list == files.map { .string($0) })
        default: #expect(files.isEmpty)
        }
        #expect(manifest.notes.map(\.message).allSatisfy { $0.contains("are not carried over") })
        #expect(manifest.notes.count == (files.isEmpty ? 1 : 0))
    }

    @Test(arguments: [
        ("LoadCredential=db:/etc/db", ["db": "/etc/db"]),
        ("LoadCredential=a.b-c@%p:/etc/%n/x[y] z", ["a.b-c@a": "/etc/a.service/x[y] z"]),
        (
            "LoadCredential=a:/a\nLoadCredential=\nLoadCredential=b:/b\nLoadCredential=c:/c\nLoadCredential=b:/d",
            ["b": "/d", "c": "/c"]
        ),
    ])
    func `a credential of systemd's is a secret`(lines: String, files: [String: String]) throws {
        let manifest = timer("OnCalendar=daily", service: "ExecStart=/bin/true\n" + lines)
        let task = try #require(try Samples.read(manifest).tasks.first)
        guard case .object(let settings) = task.settings else { return }
        #expect(settings["secrets"] == .object(files.mapValues { .object(["file": .string($0)]) }))
        #expect(manifest.notes.isEmpty, "\(manifest.notes)")
    }

    @Test(arguments: [
        ("LoadCredential=tmpfiles.extra", "LoadCredential=tmpfiles.extra"),
        ("LoadCredential=a:b", "LoadCredential=a:b"), ("LoadCredential=a/b:/c", "LoadCredential=a/b:/c"),
        ("LoadCredential=a:/%z", "LoadCredential=a:/%z"), ("LoadCredential=:/c", "LoadCredential=:/c"),
        ("LoadCredentialEncrypted=a:/a", "LoadCredentialEncrypted=a"),
        ("SetCredential=a:hunter2", "SetCredential=a"),
        ("SetCredentialEncrypted=a: \\\n hunter2", "SetCredentialEncrypted=a"),
    ])
    func `another credential is named as not carried over, and not shown`(line: String, words: String) throws
    {
        let manifest = timer("OnCalendar=daily", service: "ExecStart=/bin/true\n" + line)
        #expect(manifest.notes.map(\.message) == ["not carried over: " + words])
        #expect(!manifest.text.contains("secrets:") && !manifest.text.contains("hunter2"))
        #expect(manifest.taskCount == 1)
    }

    @Test func `the folder of credentials is what a command has it for`() throws {
        func run(_ lines: String) throws -> (run: JSONValue?, env: JSONValue?) {
            let manifest = timer("OnCalendar=daily", service: "LoadCredential=db:/etc/db\n" + lines)
            let task = try #require(try Samples.read(manifest).tasks.first, "\(manifest.notes)")
            guard case .object(let settings) = task.settings else { return (nil, nil) }
            return (settings["run"], settings["env"])
        }
        #expect(
            try run("ExecStart=/bin/dump --password-file=%d/db").run
                == .string(#"/bin/dump "--password-file=${CREDENTIALS_DIRECTORY}/db""#))
        let exported = try run(#"Environment=A=%d/db "B=it's" C=x\ny"# + "\nExecStart=/bin/dump")
        #expect(exported.run == .string(#"export A="${CREDENTIALS_DIRECTORY}"/db; /bin/dump"#))
        #expect(exported.env == .object(["B": .string("it's"), "C": .string("x\ny")]))
        let without = timer("OnCalendar=daily", service: "ExecStart=/bin/dump %d/db")
        #expect(without.taskCount == 0 && without.notes.first?.message.contains("'%d'") == true)
    }

    @Test func `who reads a file of variables, and over what it wins, is said where that differs`() throws {
        let lines = "EnvironmentFile=/etc/a\nEnvironment=B=1 C=2\nExecStart=/bin/true"
        let root = timer("OnCalendar=daily", service: lines)
        #expect(
            root.notes.map(\.message) == [
                "/etc/a overrides Environment= in systemd, but `env` overrides it in lull"
            ])
        #expect(root.notes.first?.fix == "take out of `env` what it sets (B, C)")
        let other = timer("OnCalendar=daily", service: "User=www-data\n" + lines)
        #expect(other.notes.first?.message == "systemd reads /etc/a as root, but lull as www-data")
        let own = timer("OnCalendar=daily", service: "DynamicUser=yes\n" + lines)
        #expect(own.notes.first?.message.contains("as the account that Lull makes for the app") == true)
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
