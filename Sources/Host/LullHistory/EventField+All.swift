import LullModel

extension EventField {
    /// All fields but the time, the name and the app of an event, in the order of the keys of a line.
    static let all: [EventField] = [
        value("task", nil, identifier, \.task, { .string($0.text) }) {
            $0.string.flatMap { TaskIdentifier($0) }
        },
        value("request", nil, count, \.request, { .integer(Int64(clamping: $0.number)) }) {
            $0.number64.map { RequestID($0) }
        },
        value("run", nil, count, \.run, { .integer(Int64(clamping: $0.number)) }) {
            $0.number64.map { RunID($0) }
        },
        word("kind", 1, \.kind),
        word("origin", 2, \.origin),
        time("earliest_begin", 3, \.earliestBegin),
        object(
            "requires", 5, example: #"{"external_power":true}"#, \.requires, \.json, Requirements.init(json:)),
        text("title", 12, \.title),
        text("subtitle", 13, \.subtitle),
        text("protection", 14, \.protection),
        object(
            "occurrence", 22, example: #"{"time":"2026-11-21T08:00:00.000Z"}"#, \.occurrence, \.json,
            Occurrence.init(json:)),
        object(
            "push", 25, example: #"{"from":"http","payload":"{}"}"#, isPrivate: true, \.push, \.json,
            PushNote.init(json:)),
        value("gates", 6, "a list of gates' names", \.gates, { .array($0.map(JSONValue.string)) }, \.words),
        value(
            "registered", 7, "a list of tasks' identifiers", \.registered,
            { .array($0.map { .string($0.text) }) }
        ) { value in
            guard let words = value.words else { return nil }
            let tasks = words.compactMap { TaskIdentifier($0) }
            return tasks.count == words.count ? tasks : nil
        },
        text("stamp", 8, \.stamp),
        word("outcome", nil, \.outcome),
        value("ms", nil, "a whole number of milliseconds", \.milliseconds, JSONValue.integer, \.integer),
        number("price", 9, \.price),
        number("budget", 10, \.budget),
        object(
            "shares", 11, example: #"{"external_power":0.75}"#, \.shares, { .object(shares: $0) }, \.shares),
        time("expected_by", 4, \.expectedBy),
        object(
            "trigger_event", 24, example: #"{"on":["path"],"count":1,"first":0,"last":0}"#, isPrivate: true,
            \.triggerEvent,
            \.json,
            TriggerEvent.init(json:)),
        object(
            "notice", 21, example: #"{"id":1,"kind":"failed","sink":"journal","state":"due"}"#, \.notice,
            \.json,
            NoticeNote.init(json:)),
        object(
            "notification", 27, example: #"{"removed":"reminder"}"#, \.notification, \.json,
            NotificationAct.init(json:)),
        object(
            "transfer", 28, example: #"{"id":17,"state":"paused"}"#, isPrivate: true, \.transfer, \.json,
            TransferNote.init(json:)),
        integer("attempt", 31, 1...1000, \.attemptNumber),
        integer("attempts", 32, 1...1000, \.attemptMost),
        integer("exit_code", 33, 0...255, \.exitCode64),
        object(
            "slot", 29, example: #"{"act":"held","task":"com.example.Feed.nightly","at":0}"#, isPrivate: true,
            \.slot, \.json, SlotNote.init(json:)),
        object(
            "cost", 35, example: #"{"processor_ms":1200,"read_bytes":0}"#, \.cost, \.json, RunCost.init(json:)
        ),
        object(
            "counted_over", 36, example: #"{"processor_span_ms":86400000}"#, \.countedOver, \.json,
            CostSpans.init(json:)),
        object(
            "params", 34, example: #"{"date":"2026-01-01"}"#, isPrivate: true, \.params,
            { JSONValue(texts: $0) }
        ) { value in value.texts.flatMap { $0.keys.allSatisfy(TaskParam.isName) ? $0 : nil } },
        word("absence", 30, \.absence),
        object(
            "provenance", 15, example: #"{"manifest":"9f86d081","place":"jobs.yaml:14","lull":"0.1.0"}"#,
            \.provenance, \.json, Provenance.init(json:)),
        value(
            "by", 37, "a name of at most \(Limits.actorBytes) bytes in one line", \.by, JSONValue.string
        ) { value in value.string.flatMap { ActorName.bounded($0) == $0 ? $0 : nil } },
        text("reason", nil, \.reason),
    ]

    static let identifier = "a reverse-DNS name like 'com.example.ColorFeed'"
    private static let count = "a whole number from 0"
}

/// Parts of fields, as the keys of a line have them.
extension HistoryEvent {
    fileprivate var title: String? {
        get { label?.title }
        set { label = RequestLabel(title: newValue, subtitle: subtitle, protection: protection) }
    }

    fileprivate var subtitle: String? {
        get { label?.subtitle }
        set { label = RequestLabel(title: title, subtitle: newValue, protection: protection) }
    }

    fileprivate var protection: String? {
        get { label?.protection }
        set { label = RequestLabel(title: title, subtitle: subtitle, protection: newValue) }
    }

    fileprivate var attemptNumber: Int64? {
        get { attempt.map { Int64($0.number) } }
        set { attempt = newValue.map { Attempt(Int($0), of: attempt?.most ?? Int($0)) } }
    }

    fileprivate var attemptMost: Int64? {
        get { attempt.map { Int64($0.most) } }
        set { if let attempt, let newValue { self.attempt = Attempt(attempt.number, of: Int(newValue)) } }
    }

    fileprivate var exitCode64: Int64? {
        get { exitCode.map { Int64($0) } }
        set { exitCode = newValue.flatMap { UInt8(exactly: $0) } }
    }
}
