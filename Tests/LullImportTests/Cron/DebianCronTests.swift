import LullModel
import Testing

@testable import LullImport

/// Debian's own cron and the import on the same random crontabs.
@Suite(.enabled(if: DebianCron.isThere, DebianCron.absence), .serialized)
struct DebianCronTests {
    private static let seeds = UInt64(1)...500
    private let reading = CrontabReading(machine: Samples.machine, cron: .debian, takesAll: false)

    private func file(_ text: String, users: Bool) -> CrontabFile {
        let status = CrontabStatus(
            place: users ? .systemFolder : .spool(account: 0),
            file: .init(isRegular: true, owner: 0, mode: users ? 0o644 : 0o600, links: 1))
        return CrontabFile(
            path: "/etc/cron.d/job", bytes: Array(text.utf8), format: users ? .system : .user("root"),
            status: status)
    }

    /// The runs that the import expects, at `@reboot` and at other times; nil: it refuses the file.
    private func imported(_ text: String) -> (atBoot: [DebianCron.Run], later: Set<DebianCron.Run>)? {
        let file = file(text, users: true)
        guard reading.refusal(of: file, hasUsers: true) == nil else { return nil }
        var (atBoot, later): ([DebianCron.Run], Set<DebianCron.Run>) = ([], [])
        for case .job(let job) in CrontabReader(file, hasUsers: true, reading).items {
            let variables = job.variables.environment.filter {
                $0.name.hasPrefix("V") && $0.name != "V_FILE"
            }
            let run = DebianCron.Run(
                command: job.command.command, input: job.command.input ?? "",
                variables: variables.map { $0.name + "=" + $0.value }.sorted())
            if job.schedule == "@reboot" { atBoot.append(bare(run)) } else { later.insert(bare(run)) }
        }
        return (atBoot, later)
    }

    /// Blanks at the end and a carriage return, which the import leaves out, are nothing to a shell.
    private func bare(_ run: DebianCron.Run) -> DebianCron.Run {
        var run = run
        run.command = String(run.command.drop { $0.isWhitespace })
        while let last = run.command.last, last.isWhitespace,
            last == "\r" || run.command.dropLast().last != "\\"
        {
            run.command.removeLast()
        }
        if run.input.hasSuffix("\r\n") || run.input.hasSuffix("\r") {
            run.input = String(run.input.unicodeScalars.filter { $0 != "\r" })
        }
        if run.input.hasSuffix("\\\n") { run.input.removeLast() }
        return run
    }

    @Test func `five hundred crontabs are read as Debian's cron reads them`() throws {
        let cron = try DebianCron()
        var texts: [String: String] = [:]
        for seed in Self.seeds {
            let head = "SHELL=\(cron.shell)\nV_FILE=f\(seed)\n@reboot root first\n"
            texts["f\(seed)"] = RandomCrontab(seed: seed).text(head: head, user: "root")
        }
        let runs = try cron.runs(of: texts.map { ($0.key, Array($0.value.utf8)) })
        #expect(runs["last"]?.isEmpty == false)
        var taken = 0
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            let read = imported(text)
            #expect((runs[name] != nil) == (read != nil), "\(name):\n\(text.debugDescription)")
            guard let ran = runs[name], let read else { continue }
            taken += 1
            // An empty command is run as well, and does nothing. A minute may have begun meanwhile.
            var left = ran.map(bare).filter { !$0.command.isEmpty }
            for run in read.atBoot {
                let index = left.firstIndex(of: run)
                #expect(index != nil, "\(name): \(run) is not in \(left)\n\(text.debugDescription)")
                if let index { left.remove(at: index) }
            }
            #expect(read.later.isSuperset(of: left), "\(name): \(left)\n\(text.debugDescription)")
        }
        #expect(taken > 150 && taken < 450)
    }

    @Test func `what crontab(1) refuses of them, cron passes over`() throws {
        let cron = try DebianCron()
        for seed in Self.seeds {
            let text = RandomCrontab(seed: seed).text(user: nil)
            let found = reading.refusal(of: file(text, users: false), hasUsers: false)
            // crontab(1) wants a line end behind a comment, too; the daemon does not.
            guard text.isEmpty || text.hasSuffix("\n") else { continue }
            #expect(
                try cron.takes(Array(text.utf8)) == (found == nil),
                "\(seed): \(text.debugDescription), \(String(describing: found))")
        }
    }
}
