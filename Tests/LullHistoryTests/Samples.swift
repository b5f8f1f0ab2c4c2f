import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// Both implementations of `History`: the tests check every promise on each.
enum Twin: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }

    func make(in folder: TemporaryFolder) throws -> any History {
        switch self {
        case .memory: MemoryHistory()
        case .sqlite: try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        }
    }
}

enum Sample {
    static let start = WallTime(seconds: 1_795_000_000)

    static func app(_ name: String = "ColorFeed") throws -> AppIdentifier {
        try #require(AppIdentifier("com.example." + name))
    }

    static func task(_ name: String = "refresh") throws -> TaskIdentifier {
        try #require(TaskIdentifier("com.example.ColorFeed." + name))
    }

    static func use(_ minute: Int, _ name: String = "ColorFeed") throws -> HistoryEvent {
        HistoryEvent(.used, at: start + .minutes(minute), app: try app(name))
    }

    static func uses(_ minutes: Range<Int>) throws -> [HistoryEvent] {
        try minutes.map { try use($0) }
    }

    static func launch(_ minute: Int, run: UInt64, task name: String = "refresh") throws -> HistoryEvent {
        HistoryEvent(
            .launched, at: start + .minutes(minute), app: try app(), task: try task(name),
            request: RequestID(run),
            run: RunID(run))
    }

    /// An event with a value in every field.
    static func full() throws -> HistoryEvent {
        var event = HistoryEvent(
            .submitted, at: WallTime(milliseconds: 1_795_000_000_123), app: try app(), task: try task(),
            request: RequestID(7), run: RunID(9), outcome: .crashed,
            reason: "It said \"no\\yes\"\n\tand ☃ \u{1}.")
        event.by = "anna \"ö\" as root"
        event.kind = .processing
        event.origin = .operator
        event.earliestBegin = WallTime(milliseconds: 1_795_000_900_001)
        event.requires = Requirements(
            network: .unmetered, externalPower: true, batteryAbove: 0.2, idle: false, loadBelow: 1.5,
            diskFree: 1 << 30)
        event.label = RequestLabel(title: "Export \"all\"", subtitle: "", protection: "NSFileProtectionNone")
        event.occurrence = Occurrence(time: start, times: 3, boot: "7c9e \"b\"", repeat: start + .minutes(15))
        event.gates = ["battery", "network"]
        event.registered = [try task(), try task("db_cleaning")]
        event.stamp = "a b\"c"
        event.milliseconds = 1234
        event.price = 0.05
        event.budget = 8
        event.shares = ["external_power": 0.75, "network": 1, "presence": 1.0 / 3]
        event.provenance = provenance
        event.notice = NoticeNote(
            id: 3, kind: .overdue, sink: "mail \"a\"@b", state: .givenUp, attempt: 4, covers: 12,
            said: NoticeText(title: "Half \"done\"", subtitle: "ö", body: "a\nb", level: .critical))
        event.notification = .added(
            AppNotification(
                identifier: "a \"b\"", text: NoticeText(title: "T", body: "a\nb", level: .passive), badge: 0,
                details: "{}",
                trigger: .calendar(
                    CalendarFields(
                        year: 2027, month: 1, day: 31, weekday: 7, hour: 0, minute: 59, second: 0),
                    repeats: true)))
        event.transfer = .asked(TransferID(17), order)
        event.slot = SlotNote(
            .elsewhere, SlotName(try task("refresh"), at: WallTime(seconds: 1), target: "place"), number: 7,
            host: "b12", state: .done)
        event.push = PushNote(payload: "{\"new\": \"☃\"}", merged: 3, isUrgent: true, source: .http)
        event.expectedBy = WallTime(milliseconds: 1_795_000_900_002)
        event.absence = .stalled
        event.attempt = Attempt(2, of: 3)
        event.exitCode = 75
        event.params = ["day": "2026-11-30", "note": "ä \"b\" \\ c"]
        event.cost = RunCost(processor: 1200, memory: 34 << 20, read: 1, written: 0, sharers: 2)
        event.countedOver = CostSpans(
            RunCost(processor: 1, written: 1), app: [CostLimit(.processor, 1, span: .days(400))],
            host: [CostLimit(.processor, 1, span: .minutes(1)), CostLimit(.written, 1, span: .hours(5))])
        var triggerEvent = TriggerEvent(.path, at: start, count: 2)
        triggerEvent.add(["/srv/in/a \"b\".csv"])
        triggerEvent.merge(TriggerEvent(.boot, at: start + .minutes(1)))
        triggerEvent.task = try task("db_cleaning")
        triggerEvent.run = RunID(3)
        triggerEvent.outcome = .failed
        triggerEvent.device = "sdb1"
        triggerEvent.user = "alice"
        event.triggerEvent = triggerEvent
        return event
    }

    /// An order with an unusual value in every field.
    static let order = TransferOrder(
        session: "a \"b\" ☃", ordinal: .max, direction: .upload, method: "PATCH",
        url: "https://alice:secret@example.com:8443/in?key=1#a",
        headers: [
            TransferHeader("Authorization", "Bearer x"), TransferHeader("X", ""), TransferHeader("X", "2"),
        ],
        body: TransferBody([0, 255, 10, 34]), file: "up-0a1b", label: "a\nb", isDiscretionary: true,
        allowsExpensive: false, allowsConstrained: false, sendsLaunchEvents: false, asksChallenges: true,
        earliestBegin: start, expectedToSend: 0, expectedToReceive: .max, idleLimit: .milliseconds(1),
        wholeLimit: .zero, resumes: TransferID(3))

    /// A note of each case, and the shortest notes where a case has optional parts.
    static let transferNotes: [TransferNote] = {
        let id = TransferID(17)
        let challenges = TransferChallenge.Method.allCases.map {
            TransferChallenge(method: $0, host: "example.com", port: 443, scheme: "https")
        }
        let failed = TransferChallenge(
            method: .basic, host: "[::1]", port: 0, scheme: "http", realm: "", failures: 2, sentence: "s")
        let answers: [TransferAnswer] = [
            .byDefault, .cancel, .reject, .trust, .nobody, .credential(user: "", password: "\"p\" ☃"),
        ]
        let results = [
            TransferResult(status: 304, url: "", headers: [], received: 0, sent: 0),
            TransferResult(
                status: 200, url: "http://a/", headers: [TransferHeader("ETag", "\"1\"")], received: .max,
                sent: 1),
        ]
        let failures = [
            TransferFailure(code: -1001, sentence: ""),
            TransferFailure(code: .min, sentence: "a \"b\"", isResumable: true),
        ]
        return [
            .asked(id, order),
            .asked(id, TransferOrder(session: "", ordinal: 1, direction: .download, url: "http://a")),
            .interrupted(id, until: start, received: 0), .interrupted(id, until: start, received: 12),
            .cancelled(id, keepsPart: true), .cancelled(id, keepsPart: false),
            .paused(id, byOperator: true), .paused(id, byOperator: false),
            .resumed(id, byOperator: true), .resumed(id, byOperator: false),
            .taking(id), .taken(TransferID(.max)), .givenUp(TransferID(18)),
        ] + (challenges + [failed]).map { .challenged(id, $0) } + answers.map { .answered(id, $0) }
            + results.map { .finished(id, $0) } + failures.map { .failed(id, $0) }
    }()

    static let provenance = Provenance(
        manifest: "9f86d081", place: "/etc/lull/a \"b\".yaml:14", lull: "0.1.0", entry: "e3b0c442",
        plugin: .init(buildID: "00ff", sdk: "BackgroundTasks 1.0 ☃", abi: "1.2"),
        conditions: Conditions(
            externalPower: .known(false), battery: .known(0.4), network: .known(.metered),
            presence: .known(.idle(since: start)), load: 1, cpuPressure: 0, memoryPressure: 0.25,
            diskFree: 1 << 33, isSavingPower: true))

    /// An event of each name, for the host or an app.
    static func names() throws -> [HistoryEvent] {
        try HistoryEvent.Name.allCases.map {
            HistoryEvent($0, at: start, app: $0.concernsHost ? .host : try app())
        }
    }

    /// An event with any possible value in each field, or none.
    static func random(using random: inout SeededGenerator) throws -> HistoryEvent {
        let name = HistoryEvent.Name.allCases.randomElement(using: &random) ?? .used
        let full = try full()
        var event = HistoryEvent(
            name, at: start + .milliseconds(Int64.random(in: 0...(1 << 40), using: &random)),
            app: name.concernsHost ? .host : try app())
        func field(_ change: (inout HistoryEvent) -> Void) {
            if Bool.random(using: &random) { change(&event) }
        }
        let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
        let share = Double.random(in: 0...1, using: &random)
        let milliseconds = Int64.random(in: Int64.min...Int64.max, using: &random)
        let integer = Double(Int64.random(in: -9...9, using: &random))
        field { $0.task = full.task }
        field { $0.request = full.request }
        field { $0.run = full.run }
        field { $0.outcome = full.outcome }
        field { $0.reason = full.reason }
        field { $0.by = full.by }
        field { $0.kind = full.kind }
        field { $0.origin = full.origin }
        field { $0.earliestBegin = full.earliestBegin }
        field { $0.requires = full.requires }
        field { $0.label = full.label }
        field { $0.occurrence = full.occurrence }
        field { $0.occurrence?.boot = nil }
        field { $0.gates = full.gates }
        field { $0.registered = full.registered }
        field { $0.stamp = full.stamp }
        field { $0.milliseconds = milliseconds }
        field { $0.price = number }
        field { $0.budget = integer }
        field { $0.notice = full.notice }
        field { $0.expectedBy = full.expectedBy }
        field { $0.notice?.attempt = nil }
        field { $0.notice?.said = nil }
        field { $0.notification = full.notification }
        field {
            $0.notification = .added(
                AppNotification(
                    identifier: "c", text: NoticeText(subtitle: "s"),
                    trigger: .interval(milliseconds: .max, repeats: true)))
        }
        field { $0.notification = .delivered(identifier: "a", due: full.time) }
        field { $0.notification = .removed(identifier: "") }
        field { $0.notification = .recounted(identifier: "r") }
        field { $0.notification = .cleared(identifier: "☃") }
        field { $0.notification = .badge(.min) }
        let note = transferNotes.randomElement(using: &random)
        field { $0.transfer = note }
        field { $0.provenance = full.provenance }
        field { $0.provenance?.entry = nil }
        field { $0.provenance?.plugin = nil }
        field { $0.provenance?.plugin?.buildID = nil }
        field { $0.provenance?.conditions = Conditions(battery: .unknown("no \"battery\""), load: integer) }
        field { $0.provenance?.conditions = nil }
        field { $0.shares = ["network": share, "a \"b\" ☃": 1, "": 0] }
        return event
    }

    static func chunk(_ run: UInt64, _ text: String, minute: Int = 0) -> OutputChunk {
        OutputChunk(
            run: RunID(run), stream: .standardOutput, time: start + .minutes(minute), bytes: Array(text.utf8))
    }
}
