import LullModel
import Testing

@testable import LullImport

/// Whole crontabs, and the manifests that come of them.
struct CrontabImportTests {
    @Test func `a crontab with all that cron knows becomes the manifest that is kept beside it`() throws {
        let manifest = try Samples.crontab(try Samples.text("crontab"))
        try Samples.expect(manifest.text, isKeptIn: "crontab.yaml")
        try Samples.expect(
            manifest.notes.map { "\($0.path):\($0.line): \($0.severity): \($0.message); \($0.fix)\n" }
                .joined(),
            isKeptIn: "crontab.notes")
        let read = try Samples.read(manifest)
        #expect(read.tasks.count == manifest.taskCount)
        #expect(manifest.leftOut == 4)
    }

    @Test(arguments: [
        ("ssh -fNT -L 8080:localhost:80 host", "ssh -N"), ("/usr/bin/autossh -M 0 host", "autossh"),
        ("cd /srv && nohup ./server > log 2>&1 &", "&"), ("tmux new -d ./bot", "tmux"),
    ])
    func `a daemon or tunnel that is started at each boot is systemd's`(line: String, sign: String) throws {
        let manifest = try Samples.crontab("@reboot \(line)")
        let said =
            "the command starts a background process ('\(sign)'): Lull ends it together with the run, after a day at most"
        #expect(manifest.notes.map(\.message) == [said])
        #expect(manifest.notes.first?.fix.contains("Restart=always") == true)
        #expect(manifest.text.contains("lull: " + said), "\(manifest.text)")
        // At any other time it may be meant to end, and a command that ends needs no note.
        #expect(try Samples.crontab("5 4 * * * ssh -N host").notes.isEmpty)
        #expect(try Samples.crontab("@reboot ssh host -n uptime; rm -f /var/tmp/Now").notes.isEmpty)
    }

    @Test(
        arguments: [
            ("rsync -a /a /b & echo begun", "&"), ("{ worker & }", "&"), ("setsid -f worker", "setsid"),
            ("screen -dmS build make", "screen -d"), ("/usr/bin/tmux new-session -d ./bot", "tmux -d"),
            ("agent --daemonize --once", "--daemonize"), ("service apache2 restart", "service"),
            ("/etc/init.d/exim4 force-reload", "/etc/init.d/exim4"),
            ("start-stop-daemon -S x", "start-stop-daemon"),
            ("a & b & wait", nil), ("service apache2 status", nil), ("grep -d skip x y", nil),
            ("echo 'a & b'", nil), ("make 2>&1 && echo done", nil), ("screen -ls", nil),
        ] as [(String, String?)])
    func `each form of what stays behind is warned of, and nothing else`(line: String, form: String?) throws {
        let notes = try Samples.crontab("5 4 * * * \(line)").notes.filter {
            $0.message.contains("leaves running in the background")
        }
        let names = notes.first?.message.contains("('\(form ?? "")')")
        #expect(names == form.map { _ in true }, "\(notes)")
    }

    @Test func `a system crontab becomes an app for each user`() throws {
        let manifest = try Samples.crontab(
            try Samples.text("system-crontab"), as: .system, path: "/etc/crontab")
        try Samples.expect(manifest.text, isKeptIn: "system-crontab.yaml")
        let read = try Samples.read(manifest)
        #expect(read.apps.map(\.user) == ["root", "www-data"])
        #expect(read.apps.map(\.identifier.text) == ["cron.root", "cron.www_data"])
    }

    @Test
    func `a line with nothing before its per cent sign is named, with what cron does of it, and left out`()
        throws
    {
        for (text, format) in [
            ("* * * * * %x\n1 1 * * * y\n", CrontabFile.Format.user(nil)),
            ("* * * * * root %x\n1 1 * * * root y\n", .system),
        ] {
            let manifest = try Samples.crontab(text, as: format)
            #expect(
                try Samples.read(manifest).tasks.map(\.identifier.text).map { $0.hasSuffix(".y") } == [true])
            let note = try #require(manifest.notes.first)
            #expect(
                note.line == 1 && note.message.contains("an empty command, `sh -c ''`, which does nothing"))
            #expect(note.fix.contains("`\\%`"))
        }
    }

    @Test func `a per cent sign in the format of date is named, for cron ends the command there`() throws {
        func note(_ command: String) throws -> String? {
            try Samples.crontab("*/5 * * * * \(command)").notes.first { $0.message.contains("first `%`") }?
                .message
        }
        let wanted =
            "cron ends the command at the first `%`, here within the format of `date`: the shell gets "
        #expect(try note("date +%F >> /tmp/d.log") == wanted + "`date +`")
        #expect(
            try note("tar czf /backup/etc-$(date +%F).tgz /etc") == wanted + "`tar czf /backup/etc-$(date +`")
        #expect(try note("date -u -d yesterday +%F")?.hasPrefix(wanted) == true)
        for command in ["date +\\%F", "mail -s done root%It is done.", "update +x; mail root%Well"] {
            #expect(try note(command) == nil, "\(command)")
        }
    }

    @Test func `every task runs as cron ran it`() throws {
        let read = try Samples.read(try Samples.crontab("* * * * * x"))
        let app = try #require(read.apps.first)
        let task = try #require(app.tasks.first)
        #expect(app.idleAfter == nil)
        #expect(app.limits.keepsPrivileges)
        #expect(app.concurrency == 1000)
        #expect(read.hostConcurrency == 1000)
        #expect(task.kind == .processing)
        #expect(task.requires.idle == false)
        #expect(task.timeLimit == .days(1))
    }

    @Test func `the same crontab gives the same text`() throws {
        let text = try Samples.text("crontab")
        #expect(try Samples.crontab(text).text == Samples.crontab(text).text)
    }

    @Test func `crontabs of one user are one app, and their variables do not mix`() throws {
        let files = [
            CrontabFile(path: "a", bytes: Array("A=1\nPATH=/a\n0 0 * * * root one\n".utf8), format: .system),
            CrontabFile(path: "b", bytes: Array("0 0 * * * root two\n".utf8), format: .system),
        ]
        let manifest = try CrontabImport(on: Samples.machine).manifest(from: files)
        let app = try #require(try Samples.read(manifest).apps.first)
        #expect(app.tasks.map(\.identifier.text) == ["cron.root.one", "cron.root.two"])
        #expect(!app.settings.text.contains("\"A\""))
        #expect(app.tasks[0].settings.text.contains("\"A\":\"1\""))
        #expect(!app.tasks[1].settings.text.contains("\"A\""))
        #expect((app.settings.text + app.tasks[1].settings.text).contains("/usr/bin:/bin"))
    }

    @Test(arguments: [
        ("0 5 * * * root x\n0 6 * * * www-data y\n", true),
        ("0 5 * * * x\n0 6 * * * mail -s y\n", false),
        ("# nothing\n", false),
    ])
    func `whose lines they are is told by all of them`(text: String, isSystem: Bool) throws {
        let manifest = try Samples.crontab(text, as: .unknown)
        #expect(manifest.text.contains("user: root") == isSystem)
    }

    @Test func `lines of both kinds are a question`() throws {
        let error = #expect(throws: CrontabImport.Undecided.self) {
            try Samples.crontab("0 5 * * * root x\n\n0 6 * * * backup y\n", as: .unknown)
        }
        #expect(error?.withUser == .init(first: 1, word: "root", count: 1))
        #expect(error?.without == .init(first: 3, word: "backup", count: 1))
        #expect(error?.message.contains("--system") == true)
        #expect(error?.message.contains("take the user out of line 1") == true)
    }

    /// The notes on a machine whose only programs are `bash` and `date`.
    private func onMachineWithPrograms(_ text: String, as format: CrontabFile.Format) throws -> [String] {
        var machine = Samples.machine
        machine.isProgram = { ["bash", "date"].contains($0) }
        let file = CrontabFile(path: "crontab", bytes: Array(text.utf8), format: format)
        return try CrontabImport(on: machine).manifest(from: [file]).notes.map {
            "\($0.line): \($0.message); \($0.fix)"
        }
    }

    @Test func `a user that was left in a user's crontab is named, with what to do`() throws {
        let notes = try onMachineWithPrograms(
            "0 5 * * * date\n0 6 * * * www-data /opt/x\n0 7 * * * deploy2 /opt/y\n0 8 * * * /opt/z\n",
            as: .user("root"))
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("2: the command begins with a user, 'www-data'") == true, "\(notes)")
        #expect(notes.first?.contains("an app with `user: www-data`") == true, "\(notes)")
        #expect(
            notes.last?.hasPrefix("3: the command begins with 'deploy2', which is neither") == true,
            "\(notes)")
    }

    @Test func `a user that this machine does not have is said once, and makes no system crontab a user's`()
        throws
    {
        let text = "0 5 * * * deploy2 /opt/x\n0 6 * * * deploy2 /opt/y\n0 7 * * * root date\n"
        let notes = try onMachineWithPrograms(text, as: .unknown)
        #expect(
            notes.count == 1 && notes[0].hasPrefix("1: there is no user 'deploy2' on this machine"),
            "\(notes)")
        #expect(try onMachineWithPrograms("0 5 * * * bash /opt/x\n", as: .unknown) == [])
    }

    @Test(arguments: [
        ("/etc/crontab", CrontabFile.Format.system), ("/etc/cron.d/php", .system),
        ("/var/spool/cron/crontabs/kim", .user("kim")), ("/var/spool/cron/kim", .user("kim")),
        ("/home/me/etc/crontab", .unknown), ("crontab", .unknown),
    ])
    func `where cron looks for a file tells whose it is`(path: String, format: CrontabFile.Format) {
        #expect(CrontabFile.format(of: path) == format)
    }

    @Test func `a user whose name is no identifier gets an app all the same`() throws {
        let read = try Samples.read(try Samples.crontab("0 0 * * * _Odd.User$ x\n", as: .system))
        #expect(read.apps.map(\.identifier.text) == ["cron.odd_user"])
        #expect(read.apps.map(\.user) == ["_Odd.User$"])
    }

    @Test func `who is mailed is told what jobs print`() throws {
        let text = "MAILTO=\"a@example.org, root\"\n0 0 * * * one\n0 1 * * * two\nMAILTO=\n0 2 * * * three\n"
        let app = try #require(try Samples.read(try Samples.crontab(text)).apps.first)
        let sinks = [
            NoticeSink(.mail("a@example.org"), on: [.output]), NoticeSink(.mail("root"), on: [.output]),
        ]
        #expect(app.tasks.map(\.notify) == [sinks, sinks, []])
    }

    @Test func `without a word cron mails to the user, where the machine sends mail`() throws {
        let file = CrontabFile(path: "crontab", bytes: Array("0 0 * * * kim x\n".utf8), format: .system)
        for sendsMail in [true, false] {
            let machine = ImportMachine(isUser: { _ in true }, isZone: { _ in true }, sendsMail: sendsMail)
            let read = try Samples.read(try CrontabImport(on: machine).manifest(from: [file]))
            #expect(read.tasks.first?.notify == (sendsMail ? [NoticeSink(.mail("kim"), on: [.output])] : []))
        }
    }

    @Test func `an address that is none is said`() throws {
        let manifest = try Samples.crontab("MAILTO=Kim <kim@example.org>,b@example.org\n0 0 * * * x\n")
        #expect(manifest.notes.map(\.line) == [1])
        #expect(
            try Samples.read(manifest).tasks.first?.notify == [
                NoticeSink(.mail("b@example.org"), on: [.output])
            ])
    }

    @Test func `a zone that there is not is said, and the host's is taken`() throws {
        let manifest = try Samples.crontab("CRON_TZ=UTC\nCRON_TZ=Mars/Olympus\n0 0 * * * x\n")
        #expect(manifest.notes.map(\.line) == [2])
        #expect(try Samples.read(manifest).tasks.first?.timezone == nil)
    }

    @Test func `nothing to carry over is said and is no broken manifest`() throws {
        let manifest = try Samples.crontab("# only words\n61 * * * * x\n")
        #expect(manifest.taskCount == 0)
        #expect(manifest.leftOut == 1)
        #expect(manifest.text.contains("apps: {}"))
        #expect(manifest.text.contains("# only words"))
    }
}
