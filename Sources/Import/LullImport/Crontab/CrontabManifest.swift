import LullModel

/// The manifest of crontabs while its apps and tasks are gathered.
struct CrontabManifest {
    private struct User {
        var name: String?
        var jobs: [CrontabJob] = []
        var entries: [Entry] = []
    }

    private enum Entry {
        case job(Int)
        case comments([String])
    }

    private var users: [User] = []
    /// Comments above the first line whose user is known.
    private var preface: [Entry] = []
    private var notes: [ImportNote] = []
    /// The files that cron passes over, for the manifest's head.
    private var passedOver: [String] = []
    private let reading: CrontabReading
    private var machine: ImportMachine { reading.machine }

    init(_ reading: CrontabReading) { self.reading = reading }

    /// Whether a file that cron does not read is imported all the same; a note reports it either way.
    mutating func takes(_ file: CrontabFile, _ line: Int, _ refusal: CronRefusal) -> Bool {
        let isTaken = reading.takesAll && refusal.isOfReadable
        notes.append(
            ImportNote(
                isTaken ? .warning : .note, file.path, line: line,
                "\(reading.cron.name) does not read this file: \(refusal.message)",
                fix: isTaken
                    ? "to leave it out, import without `--all`"
                    : refusal.isOfReadable ? "import it anyway with `--all`" : "nothing is lost"))
        let place = line > 1 ? "\(file.path):\(line)" : file.path
        passedOver.append("  \(place): \(refusal.message)")
        return isTaken
    }

    mutating func add(_ reader: CrontabReader, of file: CrontabFile) {
        notes += reader.notes
        let jobs = reader.items.compactMap { if case .job(let job) = $0 { job } else { nil } }
        var names = jobs.map { TaskNames.candidates(for: $0.command.command, comment: $0.title) }
        if file.status?.place == .systemFolder {
            names = FileNames.candidates(
                file: file.name, lines: jobs.map { ($0.schedule, $0.command.command) })
        }
        var next = names.makeIterator()
        for item in reader.items {
            if case .job(var job) = item {
                job.names = next.next() ?? []
                add(.job(job))
            } else {
                add(item)
            }
        }
    }

    private mutating func add(_ item: CrontabReader.Item) {
        switch item {
        case .job(let job):
            let index = self.index(of: job.user)
            users[index].entries.append(.job(users[index].jobs.count))
            users[index].jobs.append(job)
        case .comments(let comments, let name):
            if let name {
                users[index(of: name)].entries.append(.comments(comments))
            } else if users.isEmpty {
                preface.append(.comments(comments))
            } else {
                // They stay with the entries that they followed.
                users[users.count - 1].entries.append(.comments(comments))
            }
        }
    }

    private mutating func index(of name: String?) -> Int {
        if let index = users.firstIndex(where: { $0.name == name }) { return index }
        users.append(User(name: name, entries: users.isEmpty ? preface : []))
        return users.count - 1
    }

    mutating func manifest(of paths: [String]) -> ImportedManifest {
        var identifiers = TaskNames()
        if users.isEmpty { users = [User(entries: preface)] }
        let apps = users.map { app(of: $0, identifiers: &identifiers) }
        notes.sort { a, b in
            let (first, second) = (paths.firstIndex(of: a.path) ?? 0, paths.firstIndex(of: b.path) ?? 0)
            return (first, a.line) < (second, b.line)
        }
        var head = [
            "Made by `lull import crontab` from " + Self.names(of: paths) + ".",
            "Look through it, try it with `lull check`, and take the lines out of cron before `lull run`:",
            "otherwise both run them. What differs: `lull help import`.",
        ]
        head += ImportedManifest.ofNames
        if !passedOver.isEmpty {
            let what =
                reading.takesAll
                ? "Imported with `--all`, but not read by" : "Left out, as they are not read by"
            head += ["", "\(what) \(reading.cron.name):"] + passedOver
        }
        return ImportedManifest(head: head, defaults: ImportedDefaults.cron, apps: apps, notes: notes)
    }

    /// The files, or their folders if there are many.
    private static func names(of paths: [String]) -> String {
        guard paths.count > 4 else { return paths.joined(separator: ", ") }
        var folders: [String] = []
        for path in paths {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
            if !folders.contains(folder) { folders.append(folder) }
        }
        return "\(paths.count) files in " + folders.joined(separator: ", ")
    }

    private mutating func app(of user: User, identifiers: inout TaskNames) -> ImportedApp {
        let slug = TaskNames.slug(user.name ?? "")
        let identifier = "cron." + identifiers.unique([slug.isEmpty ? "jobs" : slug])
        var app = ImportedApp(identifier: identifier)
        let common = CrontabCommon(of: user.jobs, on: machine)
        app.keys = [("plugin", .word("Command"))]
        app.keys.append(("description", .text(user.name.map { "What cron ran as \($0)" } ?? "What cron ran")))
        if let name = user.name { app.keys.append(("user", .text(name))) }
        if !common.mail.isEmpty { app.keys.append(("notify", CrontabCommon.notify(common.mail))) }
        if let zone = common.zone { app.keys.append(("timezone", .text(zone))) }
        app.keys.append(("settings", common.settings))
        var names = TaskNames()
        app.entries = user.entries.map { entry in
            switch entry {
            case .comments(let comments): .comments(comments)
            case .job(let index): task(of: user.jobs[index], common, names: &names)
            }
        }
        return app
    }

    private mutating func task(of job: CrontabJob, _ common: CrontabCommon, names: inout TaskNames)
        -> ImportedEntry
    {
        var task = ImportedTask(
            comments: job.comments, origin: job.origin, name: names.unique(job.names))
        task.keys.append(("kind", .word("processing")))
        let schedule: CrontabSchedule
        do throws(CrontabSchedule.Fault) {
            schedule = try CrontabSchedule(
                job.schedule, seed: "\(job.user ?? "") \(job.schedule) \(job.command.command)")
        } catch {
            let note = ImportNote(.error, job.path, line: job.line, error.message, fix: error.fix)
            notes.append(note)
            return .comments(
                job.comments + ["\(job.origin): \(job.schedule) \(job.command.command)", note.comment])
        }
        task.keys.append(("at", .text(schedule.text)))
        if !schedule.chosen.isEmpty {
            let what = schedule.chosen.joined(separator: ", ")
            task.comments.append(
                "lull: \(job.schedule): \(what), drawn once; cron draws when it loads the table")
        }
        if job.run != job.command.command {
            task.comments.append(
                "lull: written with `if`, so that it is no failure if there is nothing to do")
        }
        delay(job, &task)
        background(job, &task)
        idleBesideSystemd(job, &task)
        programs(job, &task)
        if common.zone == nil, let zone = job.variables.zone {
            task.keys.append(("timezone", .text(zone)))
        }
        let mail = job.mail(on: machine)
        if mail != common.mail { task.keys.append(("notify", CrontabCommon.notify(mail))) }
        task.keys.append(("settings", common.settings(of: job)))
        return .task(task)
    }

    /// cronie's RANDOM_DELAY: up to so many minutes, which cron draws once when it starts.
    private mutating func delay(_ job: CrontabJob, _ task: inout ImportedTask) {
        guard let text = job.variables.delay else { return }
        guard let minutes = Int(text), minutes > 0, minutes <= 1440 else {
            if text == "0" { return }
            return warn(
                job, "RANDOM_DELAY is '\(text)', which is not a number of minutes",
                fix: "write a number from 0 to 1440, or `spread: 10m` in the manifest", &task)
        }
        task.keys.append(("spread", .word("\(minutes)m")))
    }

    /// A task ends with its command, and so do the processes that the command left running.
    private mutating func background(_ job: CrontabJob, _ task: inout ImportedTask) {
        let command = job.command.command
        let sign = LastingCommand.sign(in: command)
        if job.schedule == "@reboot", let sign {
            return warn(
                job, LastingCommand.message(sign, limit: "a day"), fix: LastingCommand.fix, &task)
        }
        guard let form = LastingCommand.leaving(in: command) else { return }
        warn(
            job, "what it leaves running in the background ('\(form)') is ended when the command ends",
            fix:
                "write `leaves: running` in the task, which lets it go on while the host runs, or let systemd run what should stay",
            &task)
    }

    /// `[ -d /run/systemd/system ] ||`: where systemd runs, the package's timer does the work.
    private mutating func idleBesideSystemd(_ job: CrontabJob, _ task: inout ImportedTask) {
        guard machine.programs("/run/systemd/system") != nil,
            job.command.command.contains("/run/systemd/system")
        else { return }
        warn(
            job, "if systemd runs, this line leaves the work to a timer and does nothing",
            fix: "check whether `lull import timers` imports that timer; if so, take this task out", &task)
    }

    /// run-parts starts what is in a folder at that time; the comment names what is there now.
    private mutating func programs(_ job: CrontabJob, _ task: inout ImportedTask) {
        let command = job.command.command
        guard let folder = RunParts.folder(in: command), let found = machine.programs(folder) else { return }
        let names = found.started.isEmpty ? "nothing" : found.started.joined(separator: ", ")
        task.comments.append("lull: run-parts starts what is then in \(folder), now: \(names)")
        if !found.passedOver.isEmpty {
            task.comments.append(
                "  and skips, for their names or modes: " + found.passedOver.joined(separator: ", "))
        }
        if command.contains("anacron"), machine.programs("/var/spool/anacron") != nil {
            warn(
                job, "if anacron is installed, this line leaves the work to it and does nothing",
                fix:
                    "write `at: daily` (`weekly`, `monthly`) and `missed: one`, and run-parts alone as the command",
                &task)
        }
    }

    private mutating func warn(_ job: CrontabJob, _ message: String, fix: String, _ task: inout ImportedTask)
    {
        let note = ImportNote(.warning, job.path, line: job.line, message, fix: fix)
        notes.append(note)
        task.comments.append(note.comment)
    }
}
