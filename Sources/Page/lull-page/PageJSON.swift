import Foundation
import LullCommands
import LullHistory
import LullModel

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

    struct Remarks: Encodable {
        let app: AppIdentifier
        let words: String
    }

    let status: StatusJSON
    let appRemarks: [Remarks]
    /// Remarks about the host as a whole: more than the `remarks` of `lull status --json`.
    let remarks: [String]
    let lines: [Line]
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
        _ report: StatusReport, _ phrases: Phrases, isRunning: Bool, fleet: String? = nil, tokenFile: String
    ) {
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
        let text = StatusText(report: report, phrases: phrases)
        appRemarks = report.apps.map { Remarks(app: $0.app, words: text.remarks($0)) }
        remarks = (report.remarks ?? []) + text.deafSinks + text.heldNotices
        version = LullVersion.text
        host = ProcessInfo.processInfo.hostName
        zone = phrases.zone.name
        offsetS = phrases.zone.offset(at: phrases.now)
    }

    private enum CodingKeys: String, CodingKey {
        case lines, appRemarks, remarks, running, version, host, zone, offsetS, tokenFile, tokenUser, fleet
    }

    func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lines, forKey: .lines)
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
        paragraphs = text.background.filter { !$0.hasPrefix("Its schedule: ") } + text.outlookText.paragraphs
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
