import LullModel
import Testing

@testable import LullImport

/// The files that each cron runs from its folders. Debian's answers are those of its 3.0pl1-162, tried file by file.
struct CronRulesTests {
    private static func status(
        mode: UInt32 = 0o644, owner: UInt32 = 0, links: UInt64 = 1, linkOwner: UInt32? = nil,
        place: CrontabStatus.Place = .systemFolder
    ) -> CrontabStatus {
        CrontabStatus(
            place: place, file: .init(isRegular: true, owner: owner, mode: mode, links: links),
            linkOwner: linkOwner)
    }

    private func imported(
        _ text: String, cron: CronKind, name: String = "job", status: CrontabStatus? = status(),
        takesAll: Bool = false, isExpired: Bool = false
    ) throws -> ImportedManifest {
        let sample = Samples.machine
        let machine = ImportMachine(
            isUser: sample.isUser, isExpired: { _ in isExpired }, isZone: sample.isZone, sendsMail: false)
        let format: CrontabFile.Format = status?.isSpool == true ? .user("deploy") : .system
        let file = CrontabFile(
            path: "/etc/cron.d/" + name, bytes: Array(text.utf8), format: format, status: status)
        return try CrontabImport(on: machine, cron: cron, takesAll: takesAll).manifest(from: [file])
    }

    @Test(
        arguments: [
            ("job", nil, nil), ("-dash", nil, nil), ("_x", nil, nil), ("x.bak", .dot, nil),
            ("backup.disabled", .dot, nil), ("org.example.x", .dot, nil), ("x.dpkg-old", .dot, nil),
            (".placeholder", .hidden, .hidden), ("x~", .character("~"), .backup("~")),
            ("#x", .character("#"), .character("#")), ("x.rpmsave", .dot, .backup(".rpmsave")),
            ("x.rpmorig", .dot, .backup(".rpmorig")), ("x.rpmnew", .dot, .backup(".rpmnew")),
            ("x.orig", .dot, nil), (".cron.hostname", .hidden, .hidden), ("é", .character("é"), nil),
        ] as [(String, CronRefusal?, CronRefusal?)])
    func `a name of cron.d is judged by each cron's own list`(
        name: String, debian: CronRefusal?, cronie: CronRefusal?
    ) {
        #expect(CronKind.debian.refusal(of: name, Self.status()) == debian)
        #expect(CronKind.cronie.refusal(of: name, Self.status()) == cronie)
    }

    @Test(
        arguments: [
            (status(), nil, nil), (status(mode: 0), nil, .cronieMode),
            (status(mode: 0o755), nil, .cronieMode),
            (status(mode: 0o664), .writable, .cronieMode), (status(mode: 0o646), .writable, .cronieMode),
            (status(mode: 0o666), .writable, .cronieMode), (status(owner: 1000), .owner, .owner),
            (status(links: 2), .hardLinks, nil), (status(linkOwner: 0), nil, nil),
            (status(linkOwner: 1000), .linkOwner, nil), (status(owner: 1000, linkOwner: 0), .owner, .owner),
            (status(mode: 0o600, owner: 1000, place: .spool(account: 1000)), nil, nil),
            (status(mode: 0o600, owner: 0, place: .spool(account: 1000)), nil, nil),
            (status(mode: 0o600, owner: 1001, place: .spool(account: 1000)), .owner, .owner),
            (status(mode: 0o400, owner: 1000, place: .spool(account: 1000)), .spoolMode, nil),
            (status(mode: 0o644, owner: 1000, place: .spool(account: 1000)), .spoolMode, nil),
            (status(mode: 0o600, links: 2, place: .spool(account: 1000)), .hardLinks, .hardLinks),
            (status(mode: 0o600, linkOwner: 0, place: .spool(account: 1000)), .linkInSpool, nil),
            (status(mode: 0o600, place: .spool(account: nil)), .noAccount("job"), .noAccount("job")),
        ] as [(CrontabStatus, CronRefusal?, CronRefusal?)])
    func `owner, mode and links are judged by each cron's own rules`(
        status: CrontabStatus, debian: CronRefusal?, cronie: CronRefusal?
    ) {
        #expect(CronKind.debian.refusal(of: "job", status) == debian)
        #expect(CronKind.cronie.refusal(of: "job", status) == cronie)
    }

    @Test func `in a copied folder its owner stands for root`() {
        var status = Self.status(owner: 1000)
        status.administrator = 1000
        #expect(CronKind.debian.refusal(of: "job", status) == nil)
        #expect(CronKind.cronie.refusal(of: "job", status) == nil)
    }

    /// `reject` with what Debian's cron logs, `never` where it logs nothing and never starts the job.
    @Test(
        arguments: [
            ("* * * * *", nil), ("*/90 * * * *", nil), ("1-5/70 * * * *", nil), ("*,5 * * * *", nil),
            ("*5 * * * *", nil),
            ("1-2-3 * * * *", nil), ("* * * jan-mar *", nil), ("* * * * MON,wed", nil), ("01 002 * * *", nil),
            ("* * * * 1#2", nil), ("59-59/1 * * * *", nil), ("* * * * sun-sat", nil), ("* * * * 6-7", nil),
            ("@midnight", nil), ("@reboot", nil), ("0 0 31 2 *", nil), ("* * * * 5-1", "never"),
            ("22-2 * * * *", "never"), ("* * * * mon-sun", "never"), ("* * * dec-jan *", "never"),
            ("*/0 * * * *", "bad minute"), ("5/15 * * * *", "bad minute"), ("1,,2 * * * *", "bad minute"),
            ("1, * * * *", "bad minute"), ("jan * * * *", "bad minute"), ("~ * * * *", "bad minute"),
            ("60 * * * *", "bad minute"), ("* 24 * * *", "bad hour"), ("* * 0 * *", "bad day-of-month"),
            ("* * L * *", "bad day-of-month"), ("0 0 20-18 * 1", nil), ("0 0 20-18 * *", "never"),
            ("0 0 20-18 * 5-2", "never"),
            ("0 0 1 * 5-2", nil), ("0 0 ? * *", "bad day-of-month"), ("* * * 0 *", "bad month"),
            ("* * * JANUARY *", "bad month"), ("* * * * 8", "bad day-of-week"),
            ("* * * * monday", "bad day-of-week"),
            ("@Daily", "bad time specifier"), ("@every_minute", "bad time specifier"),
        ] as [(String, String?)])
    func `a schedule is read as Debian's cron reads it`(schedule: String, answer: String?) {
        let reading = CronGrammar.reading(of: schedule, by: .debian)
        switch answer {
        case nil: #expect(reading == .times)
        case "never": #expect(reading == .never)
        case let fault?: #expect(reading == .fault(fault))
        }
    }

    @Test(arguments: [
        ("~ * * * *", true), ("10~20 * * * *", true), ("20~10 * * * *", false), ("22-2 * * * *", false),
        ("1-2-3 * * * *", false), ("* * * * mon-sun", false), ("* * * * 1#2", false), ("*/2 * * * *", true),
    ])
    func `cronie draws numbers, and takes no range that ends before it begins`(
        schedule: String, isTaken: Bool
    ) {
        #expect((CronGrammar.reading(of: schedule, by: .cronie) == .times) == isTaken)
    }

    @Test(arguments: [
        ("0 5 * * * root one\n61 * * * * root two\n", 2), ("0 5 * * * root one\n* * * * * nobody9 two\n", 2),
        ("0 5 * * * root one\n0 6 * * * root two", 2), ("0 5 * * * root one\nhello world\n", 2),
        ("0 5 * * * root one\n-0 6 * * * root two\n", 2), ("0 5 * * * root\n", 1),
    ])
    func `Debian's cron passes over a file for one line, and cronie over the line`(text: String, line: Int)
        throws
    {
        let debian = try imported(text, cron: .debian)
        #expect(debian.taskCount == 0)
        #expect(debian.leftOut == 0)
        #expect(debian.notes.map(\.severity) == [.note])
        #expect(debian.notes.first?.line == line)
        #expect(
            debian.text.contains("# Left out, as they are not read by Debian's cron:\n#  /etc/cron.d/job"))
        let cronie = try imported(text, cron: .cronie)
        #expect(cronie.taskCount == (text.contains("-0") ? 2 : line - 1))
    }

    /// The line that Debian's cron finds fault with.
    @Test(arguments: [
        ("A = 'x' y", 2), ("A=\"x", 2), ("MAILTO=", 2), ("0x5 * * * * root x", 2), ("mon1 * * * * root x", 2),
        ("0 5 * * * root " + String(repeating: "c", count: 999), 2), ("\r", 2), ("* * * * * * root x", 2),
    ])
    func `a line that Debian's cron can't read takes its file with it`(line: String, number: Int) throws {
        let manifest = try imported("0 5 * * * root one\n\(line)\n", cron: .debian)
        #expect((manifest.taskCount, manifest.passedOver) == (0, 1), "\(manifest.text)")
        #expect(manifest.notes.first?.line == number)
    }

    @Test(arguments: [
        "# the end", "  \t", "  # the end", "0 5 * * * root " + String(repeating: "c", count: 998) + "\n",
        "A=" + String(repeating: "c", count: 1_200) + "\n",
    ])
    func `what Debian's cron overlooks takes nothing with it`(end: String) throws {
        #expect(try imported("0 5 * * * root one\n\(end)", cron: .debian).taskCount >= 1)
    }

    /// Lines of a user's crontab named by hand: whether each becomes a task, and the message about it.
    @Test(arguments: [
        ("PATH=$PATH:/opt/bin\n0 5 * * * backup", true, "PATH is '$PATH:/opt/bin' to the letter"),
        ("0 5 * * * echo 'a%b'", true, "the shell gets `echo 'a`"),
        ("0 0 22 * * * backup", false, "a sixth field"),
        ("0 0 22 ? * Mon-Fri backup", false, "'?' as the month"),
        ("0 5 * * * */2 backup", false, "a sixth field"),
        ("0 5 1 * * 2027 backup", true, "like a sixth field"),
        ("A B=c\n0 5 * * * x", true, "neither five fields"),
        ("\"A B\"=c\n0 5 * * * x", true, "'A B' reaches no program"),
        ("0 5 * * * x\r", true, "carriage return"),
        ("MAILTO=\n0 5 * * * x", true, "write `MAILTO=\"\"`"),
    ])
    func `what its writer hardly meant is named`(text: String, isTask: Bool, words: String) throws {
        let file = CrontabFile(path: "crontab", bytes: Array((text + "\n").utf8), format: .user(nil))
        let manifest = try CrontabImport(on: Samples.machine, cron: .debian).manifest(from: [file])
        #expect((manifest.taskCount == 1) == isTask, "\(manifest.text)")
        #expect(manifest.notes.contains { ($0.message + $0.fix).contains(words) }, "\(manifest.notes)")
    }

    @Test func `what nothing ran is not lost, and all of it can be had`() throws {
        let text = "0 5 * * * root one\n"
        let left = try imported(text, cron: .debian, name: "x.bak")
        #expect(left.taskCount == 0)
        #expect((left.leftOut, left.passedOver) == (0, 1))
        #expect(left.notes.first?.fix.contains("--all") == true)
        let taken = try imported(text, cron: .debian, name: "x.bak", takesAll: true)
        #expect(taken.taskCount == 1)
        #expect(taken.notes.map(\.severity) == [.warning])
        #expect(taken.notes.first?.message.contains("its name has a dot") == true)
        #expect(taken.text.contains("Imported with `--all`"))
    }

    @Test func `a file that is named by hand elsewhere is taken as it is`() throws {
        let manifest = try imported("0 5 * * * root one", cron: .debian, name: "x.bak", status: nil)
        #expect(manifest.taskCount == 1)
        #expect(manifest.notes.isEmpty)
    }

    @Test func `FreeBSD's word is left out by the rules of Debian's cron, wherever its file is`() throws {
        let text = "0 5 * * * root one\n@every_minute root two\n"
        let left = try imported(text, cron: .debian, name: "copy", status: nil)
        #expect(left.taskCount == 1)
        #expect(left.notes.map(\.line) == [2])
        #expect(left.notes.first?.message.contains("bad time specifier in '@every_minute'") == true)
        #expect(try imported(text, cron: .debian, name: "copy", status: nil, takesAll: true).taskCount == 2)
        #expect(try imported(text, cron: .cronie, name: "copy", status: nil).taskCount == 2)
    }

    @Test(arguments: CronKind.allCases)
    func `nothing runs for an expired account`(cron: CronKind) throws {
        let text = "0 5 * * * root one\n"
        let manifest = try imported(text, cron: cron, isExpired: true)
        #expect(manifest.taskCount == 0)
        #expect(manifest.text.contains("the account 'root' has expired"))
        #expect(try imported(text, cron: cron, takesAll: true, isExpired: true).taskCount == 1)
    }

    @Test func `a variable of cronie's is one of the job's for Debian's cron, which is said`() throws {
        let text = "CRON_TZ=UTC\nRANDOM_DELAY=5\nUSER=kim\n0 5 * * * root one\n"
        let debian = try #require(try Samples.read(try imported(text, cron: .debian)).apps.first)
        #expect(debian.tasks.first?.timezone == nil)
        for pair in ["\"CRON_TZ\":\"UTC\"", "\"RANDOM_DELAY\":\"5\"", "\"USER\":\"kim\""] {
            #expect(debian.settings.text.contains(pair), "\(debian.settings.text)")
        }
        #expect(debian.tasks.first?.spread == .seconds(0))
        #expect(try imported(text, cron: .debian).notes.map(\.line) == [1, 2])
        let cronie = try Samples.read(try imported(text, cron: .cronie))
        #expect(cronie.apps.first?.settings.text.contains("CRON_TZ") == false)
        #expect(cronie.tasks.first?.spread == .minutes(5))
    }

    @Test(arguments: ["MAILFROM=ops@example.org", "CONTENT_TYPE=text/html", "CONTENT_TRANSFER_ENCODING=8bit"])
    func `how cron mails is named where it can't be carried over`(line: String) throws {
        for cron in CronKind.allCases {
            let manifest = try imported(line + "\n0 5 * * * root one\n", cron: cron)
            let name = String(line.prefix { $0 != "=" })
            #expect(manifest.notes.map(\.line) == [1])
            #expect(manifest.text.contains("# lull: not carried over: \(name)="))
            #expect(!manifest.text.contains("env: { \(name)"))
        }
    }

    @Test func `a line that was commented out stays a comment`() throws {
        let manifest = try imported(
            "# 0 4 * * * root old\n#0 3 * * * root older\n0 5 * * * root one\n", cron: .debian)
        #expect(manifest.taskCount == 1)
        #expect(manifest.text.contains("# 0 4 * * * root old\n"))
    }

    @Test func `comments stay with the lines of their file, whoever runs those`() throws {
        let files = [
            ("a", "# about a, far above\n\n0 5 * * * www-data one\n"),
            ("b", "# about b, far above\n\n0 5 * * * root two\n# behind b\n"),
        ].map { CrontabFile(path: "/etc/cron.d/" + $0.0, bytes: Array($0.1.utf8), format: .system) }
        let text = try CrontabImport(on: Samples.machine).manifest(from: files).text
        let parts = text.components(separatedBy: "cron.root:")
        #expect(parts.count == 2)
        #expect(parts.first?.contains("about a") == true && parts.first?.contains("about b") == false)
        #expect(parts.last?.contains("about b") == true && parts.last?.contains("behind b") == true)
    }

    @Test func `what run-parts would start is named`() throws {
        let parts = RunParts([
            ("b", true), ("a", true), ("x.bak", true), ("c", false), (".placeholder", false),
        ])
        let machine = ImportMachine(
            isUser: { _ in true }, isZone: { _ in true }, sendsMail: false,
            programs: { $0 == "/etc/cron.daily" ? parts : nil })
        let file = CrontabFile(
            path: "/etc/crontab",
            bytes: Array("25 6 * * * root cd / && run-parts --report /etc/cron.daily\n".utf8),
            format: .system)
        let text = try CrontabImport(on: machine).manifest(from: [file]).text
        #expect(
            text.contains("# lull: run-parts starts what is then in /etc/cron.daily, now: a, b\n"))
        #expect(text.contains("skips, for their names or modes: c, x.bak"))
    }

    @Test func `root's crontab says that it is root's`() throws {
        let file = CrontabFile(path: "crontab", bytes: Array("0 5 * * * one\n".utf8))
        let text = try CrontabImport(on: Samples.machine, owner: "root").manifest(from: [file]).text
        #expect(text.contains("  cron.root:\n"))
        #expect(text.contains("    user: root\n"))
        #expect(text.contains("  limits: { write: all, privileges: keep, processes: 20000 }\n"))
    }
}
