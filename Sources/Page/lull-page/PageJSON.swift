import Foundation
import LullCommands
import LullHistory
import LullModel
import LullWeb

// The JSON of the commands, and beside it their text for people: the page words nothing itself.

/// `lull status --json`, with each task's line as the table of `lull status` has it.
struct PageStatusJSON: Encodable {
    struct Line: Encodable {
        let task: TaskIdentifier
        let state: String
        let lastRunWords: String
        let why: String
        /// When it comes next.
        let nextWords: String
        /// When it comes by itself; absent: on request or by events.
        let schedule: String?
        /// Whether a person has to do something about it.
        let stopped: Bool
    }

    /// An app in words and numbers: a page lists few of its tasks.
    struct Remarks: Encodable {
        let app: AppIdentifier
        let words: String
        let taskCount: Int
        let runningCount: Int
        /// The first of its tasks that fail.
        let failingTasks: [TaskIdentifier]
        let failingCount: Int
        /// How many of its tasks a person holds back or has to look after, by their state.
        let stoppedCounts: [String: Int]
        let names: [TaskIdentifier]?
    }

    /// What a closed gate keeps from running now: its first tasks, and how many they are.
    struct Waiting: Encodable {
        struct Waiter: Encodable {
            let task: TaskIdentifier
            let app: AppIdentifier
        }

        let gate: GateName
        let tasks: [Waiter]
        let taskCount: Int
    }

    /// A run that has ended.
    struct Ended: Encodable {
        let task: TaskIdentifier
        let run: RunID
        let outcome: Outcome
        let ended: String
        let failing: Bool
    }

    let status: StatusJSON
    let appRemarks: [Remarks]
    /// Remarks about the host as a whole: more than the `remarks` of `lull status --json`.
    let remarks: [String]
    let lines: [Line]
    let waiting: [Waiting]
    /// The runs that ended last: of any task, and of a failing one.
    let latest: [Ended]
    /// The tasks that were asked for and are not listed; absent: none.
    let leftOutCount: Int?
    /// Whether a host runs; else this is the state that one left.
    let running: Bool
    let version: String
    let host: String
    let zone: String
    /// East of UTC, in seconds.
    let offsetS: Int
    /// The file of the page's token, and the user who may read it: never the token.
    let tokenFile: String
    let tokenUser: String
    /// The fleet's name; absent: this host is in none.
    let fleet: String?

    init(
        _ report: StatusReport, _ slice: TaskSlice, _ phrases: Phrases, isRunning: Bool, fleet: String? = nil,
        tokenFile: String
    ) {
        let text = StatusText(report: report, phrases: phrases)
        let found = report.tasks.filter { slice.finds($0.task) }
        let listed = slice.listed(of: found)
        leftOutCount = listed.leftOut > 0 ? listed.leftOut : nil
        waiting = Self.waiting(report.tasks)
        latest = [report.tasks, report.tasks.filter(\.isFailing)].compactMap(Self.latest)
        let own = Dictionary(grouping: found, by: \.app)
        appRemarks = report.apps.map {
            Remarks(
                $0.app, text.remarks($0), own[$0.app] ?? [], phrases, lacksHost: report.lacksHost,
                hasNames: slice.hasNames)
        }
        var report = report
        report.tasks = listed.tasks
        self.fleet = fleet
        self.tokenFile = tokenFile
        tokenUser = StateOptions.user
        running = isRunning
        status = StatusJSON(report)
        lines = report.tasks.map {
            let line = TaskLine(status: $0, phrases: phrases, lacksHost: report.lacksHost)
            let next = NextText(next: $0.next, phrases: phrases)
            return Line(
                task: $0.task, state: line.state.text, lastRunWords: line.lastRun.text, why: line.why,
                nextWords: $0.running.isEmpty ? next.clause : "it runs now",
                schedule: $0.schedule,
                stopped: $0.needsSomebody)
        }
        remarks = report.allRemarks + text.deafSinks + text.heldNotices
        version = LullVersion.text
        host = ProcessInfo.processInfo.hostName
        zone = phrases.zone.name
        offsetS = phrases.zone.offset(at: phrases.now)
    }

    private enum CodingKeys: String, CodingKey {
        case lines, appRemarks, remarks, running, version, host, zone, offsetS, tokenFile, tokenUser, fleet
        case waiting, latest, leftOutCount
    }

    func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lines, forKey: .lines)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(latest, forKey: .latest)
        try container.encodeIfPresent(leftOutCount, forKey: .leftOutCount)
        try container.encode(appRemarks, forKey: .appRemarks)
        try container.encode(remarks, forKey: .remarks)
        try container.encode(running, forKey: .running)
        try container.encode(version, forKey: .version)
        try container.encode(host, forKey: .host)
        try container.encode(zone, forKey: .zone)
        try container.encode(offsetS, forKey: .offsetS)
        try container.encode(tokenFile, forKey: .tokenFile)
        try container.encode(tokenUser, forKey: .tokenUser)
        try container.encodeIfPresent(fleet, forKey: .fleet)
    }
}

extension PageStatusJSON {
    /// A task that is not due, or is paused or disabled, waits for more than its gates.
    private static func waiting(_ tasks: [StatusReport.TaskStatus]) -> [Waiting] {
        var held: [GateName: [StatusReport.TaskStatus]] = [:]
        for task in tasks {
            guard case .onceOpen? = task.next else { continue }
            for gate in task.verdict.closed { held[gate.gate, default: []].append(task) }
        }
        return held.sorted { $0.key.rawValue < $1.key.rawValue }.map { gate, tasks in
            Waiting(
                gate: gate, tasks: tasks.prefix(3).map { .init(task: $0.task, app: $0.app) },
                taskCount: tasks.count)
        }
    }

    private static func latest(_ tasks: [StatusReport.TaskStatus]) -> Ended? {
        func end(_ task: StatusReport.TaskStatus) -> WallTime? {
            guard task.lastRun != nil, task.lastOutcome != nil else { return nil }
            return task.lastLaunched.map { $0 + .milliseconds(task.lastMilliseconds ?? 0) }
        }
        guard let last = tasks.max(by: { end($0) ?? .distantPast < end($1) ?? .distantPast }),
            let ended = end(last), let run = last.lastRun, let outcome = last.lastOutcome
        else { return nil }
        return Ended(
            task: last.task, run: run, outcome: outcome, ended: ended.rfc3339, failing: last.isFailing)
    }
}

extension PageStatusJSON.Remarks {
    init(
        _ app: AppIdentifier, _ words: String, _ tasks: [StatusReport.TaskStatus], _ phrases: Phrases,
        lacksHost: Bool, hasNames: Bool
    ) {
        let failing = tasks.filter(\.isFailing).map(\.task)
        var stopped: [String: Int] = [:]
        for task in tasks where !task.verdict.mayRun {
            let state = TaskLine(status: task, phrases: phrases, lacksHost: lacksHost).state.text
            if task.needsSomebody || state == "paused" { stopped[state, default: 0] += 1 }
        }
        self.init(
            app: app, words: words, taskCount: tasks.count,
            runningCount: tasks.count { !$0.running.isEmpty },
            failingTasks: Array(failing.prefix(3)), failingCount: failing.count, stoppedCounts: stopped,
            names: hasNames ? tasks.map(\.task) : nil)
    }
}

/// `lull why TASK --json`, with the text of `lull why TASK`.
struct PageWhyJSON: Encodable {
    let why: WhyJSON
    let headline: String
    let lastRunWords: String?
    /// Each gate's verdict and when it is likely to open, in the order of the gates.
    let sentences: [String]
    let remedies: [String]
    let paragraphs: [String]
    /// Whether there is a command that is hidden, because the client has no token: a command may hold a password.
    let commandHidden: Bool?

    init(_ text: WhyText, showsCommand: Bool) {
        let command = text.runs?.command
        why = WhyJSON(
            verdict: VerdictJSON(text.verdict), outlook: OutlookJSON(text.outlook),
            command: showsCommand ? command : nil, place: text.runs?.place)
        commandHidden = command != nil && !showsCommand ? true : nil
        headline = text.headline
        lastRunWords = text.lastRun
        sentences = text.verdict.gates.map(text.sentences(of:))
        remedies = text.remedies
        paragraphs = text.background(withSchedule: false) + text.outlookText.paragraphs
    }

    private enum CodingKeys: String, CodingKey {
        case headline, lastRunWords, sentences, remedies, paragraphs, commandHidden
    }

    func encode(to encoder: any Encoder) throws {
        try why.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(headline, forKey: .headline)
        try container.encodeIfPresent(lastRunWords, forKey: .lastRunWords)
        try container.encode(sentences, forKey: .sentences)
        try container.encode(remedies, forKey: .remedies)
        try container.encode(paragraphs, forKey: .paragraphs)
        try container.encodeIfPresent(commandHidden, forKey: .commandHidden)
    }
}
