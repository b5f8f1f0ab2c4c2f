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

    @Test func `a system crontab becomes an app for each user`() throws {
        let manifest = try Samples.crontab(
            try Samples.text("system-crontab"), as: .system, path: "/etc/crontab")
        try Samples.expect(manifest.text, isKeptIn: "system-crontab.yaml")
        let read = try Samples.read(manifest)
        #expect(read.apps.map(\.user) == ["root", "www-data"])
        #expect(read.apps.map(\.identifier.text) == ["cron.root", "cron.www_data"])
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
        #expect(error?.withUser == 1)
        #expect(error?.without == 3)
        #expect(error?.message.contains("--system") == true)
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
