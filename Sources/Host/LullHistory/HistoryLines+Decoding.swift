public import LullModel

extension HistoryLines {
    /// Problems beyond this many are only counted.
    static let problemCount = 100

    /// The events of a whole file, and the output of the runs that end with them.
    ///
    /// Throws `.lines` with the problems in the file's order. Empty lines are skipped.
    public static func decode(file bytes: some Sequence<UInt8>, path: String) throws(HistoryError)
        -> (events: [HistoryEvent], outputs: [RunID: JSONValue])
    {
        var events: [HistoryEvent] = []
        var outputs: [RunID: JSONValue] = [:]
        var problems: [LineProblem] = []
        var more = 0
        var number = 0
        var line: [UInt8] = []
        func endLine() {
            number += 1
            defer { line.removeAll(keepingCapacity: true) }
            guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            do throws(LineProblem) {
                let (event, output) = try decode(line, number: number, path: path)
                events.append(event)
                if let run = event.run, let output, outputs.updateValue(output, forKey: run) != nil {
                    throw LineProblem(
                        path: path, line: number, column: 1,
                        fault: .duplicate(key: "output_pieces' of 'run \(run)"))
                }
            } catch {
                if problems.count < problemCount { problems.append(error) } else { more += 1 }
            }
        }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { endLine() } else { line.append(byte) }
        }
        if !line.isEmpty { endLine() }
        guard problems.isEmpty else { throw .lines(problems, more: more) }
        return (events, outputs)
    }

    public static func decode(_ line: String, number: Int, path: String) throws(LineProblem) -> HistoryEvent {
        try decode(Array(line.utf8), number: number, path: path).event
    }

    static func decode(
        _ line: [UInt8], number: Int, path: String
    ) throws(LineProblem) -> (event: HistoryEvent, output: JSONValue?) {
        do throws(JSONLine.Failure) {
            guard line.count <= lineBytes else {
                throw JSONLine.Failure(column: 1, fault: .tooLong(bytes: line.count))
            }
            let fields = EventFields(members: try JSONLine.members(line))
            let event = try fields.event()
            return (event, try fields.output(of: event))
        } catch {
            throw LineProblem(path: path, line: number, column: error.column, fault: error.fault)
        }
    }
}

/// The members of a line, each read as the type that its key takes.
private struct EventFields {
    typealias Failure = JSONLine.Failure

    let members: [JSONLine.Member]

    func event() throws(Failure) -> HistoryEvent {
        let time = try required(try self.time("time"), "time")
        let name = try required(try self.name(), "event")
        let app = try required(try self.app(of: name), "app")
        var event = HistoryEvent(name, at: time, app: app)
        event.task = try read("task", Self.identifier) { Self.text($0).flatMap(TaskIdentifier.init) }
        event.request = try read("request", "a whole number from 0") { Self.count($0).map { RequestID($0) } }
        event.run = try read("run", "a whole number from 0") { Self.count($0).map { RunID($0) } }
        event.outcome = try word("outcome", Outcome.allWords, Outcome.init(rawValue:))
        event.reason = try read("reason", Self.plain, Self.text)
        event.kind = try word("kind", Kind.allCases.map(\.rawValue), Kind.init(rawValue:))
        event.origin = try word(
            "origin", TaskRequest.Origin.allCases.map(\.rawValue), TaskRequest.Origin.init(rawValue:))
        event.earliestBegin = try self.time("earliest_begin")
        event.requires = try read(
            "requires", "an object like {\"external_power\":true}", Requirements.init(json:))
        event.gates = try read("gates", "a list of gates' names") { Self.texts($0) }
        event.registered = try read("registered", "a list of tasks' identifiers") { value in
            guard let texts = Self.texts(value) else { return nil }
            let tasks = texts.compactMap { TaskIdentifier($0) }
            return tasks.count == texts.count ? tasks : nil
        }
        event.stamp = try read("stamp", Self.plain, Self.text)
        event.milliseconds = try read("ms", "a whole number of milliseconds") { value in
            if case .integer(let number) = value { number } else { nil }
        }
        event.price = try read("price", "a number", \.number)
        event.budget = try read("budget", "a number", \.number)
        event.label = RequestLabel(
            title: try read("title", Self.plain, Self.text),
            subtitle: try read("subtitle", Self.plain, Self.text),
            protection: try read("protection", Self.plain, Self.text))
        event.occurrence = try read(
            "occurrence", "an object like {\"time\":\"2026-11-21T08:00:00.000Z\"}", Occurrence.init(json:))
        event.push = try read(
            "push", "an object like {\"from\":\"http\",\"payload\":\"{}\"}", PushNote.init(json:))
        event.shares = try read("shares", "an object like {\"external_power\":0.75}", \.shares)
        event.provenance = try read(
            "provenance",
            "an object like {\"manifest\":\"9f86d081\",\"place\":\"jobs.yaml:14\",\"lull\":\"0.1.0\"}",
            Provenance.init(json:))
        event.triggerEvent = try read(
            "trigger_event", "an object like {\"on\":[\"path\"],\"count\":1,\"first\":0,\"last\":0}",
            TriggerEvent.init(json:))
        event.notice = try read(
            "notice", "an object like {\"id\":1,\"kind\":\"failed\",\"sink\":\"journal\",\"state\":\"due\"}",
            NoticeNote.init(json:))
        event.expectedBy = try self.time("expected_by")
        event.notification = try read(
            "notification", "an object like {\"removed\":\"reminder\"}", NotificationAct.init(json:))
        event.transfer = try read(
            "transfer", "an object like {\"id\":17,\"state\":\"paused\"}", TransferNote.init(json:))
        let attempt = try attempt("attempt")
        let attempts = try self.attempt("attempts")
        event.attempt = attempt.map { Attempt($0, of: attempts ?? $0) }
        event.exitCode = try read("exit_code", "a whole number from 0 to 255") {
            Self.count($0).flatMap { UInt8(exactly: $0) }
        }
        event.cost = try read(
            "cost", "an object like {\"processor_ms\":1200,\"read_bytes\":0}", RunCost.init(json:))
        event.slot = try read(
            "slot", "an object like {\"act\":\"held\",\"task\":\"com.example.Feed.nightly\",\"at\":0}",
            SlotNote.init(json:))
        event.absence = try word(
            "absence", AbsenceCause.allCases.map(\.rawValue), AbsenceCause.init(rawValue:))
        return event
    }

    func output(of event: HistoryEvent) throws(Failure) -> JSONValue? {
        guard let run = event.run, event.ending != nil else {
            return try read("output_pieces", "nothing, for '\(event.event.rawValue)' ends no run") { _ in nil
            }
        }
        let example =
            #"{"stream":"out","time":"2026-11-21T08:00:00.000Z","start_byte":0,"shared":false,"text":"done"}"#
        let expected = "a list, in the order in which it was printed, of objects like \(example)"
        return try read("output_pieces", expected) { given in
            RunOutput(json: given, of: run).map { _ in given }
        }
    }

    private func attempt(_ key: String) throws(Failure) -> Int? {
        try read(key, "a whole number from 1 to 1000") { value in
            Self.count(value).flatMap { 1...1000 ~= $0 ? Int($0) : nil }
        }
    }

    private static let plain = "a text without \\u0000"
    private static let identifier = "a reverse-DNS name like 'com.example.ColorFeed'"

    /// An event that concerns the host alone names the host here; any other event names its app.
    private func app(of name: HistoryEvent.Name) throws(Failure) -> AppIdentifier? {
        if name.concernsHost {
            return try read("app", "'host', for '\(name.rawValue)' concerns no app") { value in
                Self.text(value) == AppIdentifier.host.text ? .host : nil
            }
        }
        return try read("app", Self.identifier) { value in
            guard let text = Self.text(value) else { return nil }
            return name.mayConcernHost && text == AppIdentifier.host.text ? .host : AppIdentifier(text)
        }
    }

    private func name() throws(Failure) -> HistoryEvent.Name? {
        guard let member = member("event") else { return nil }
        guard let text = Self.text(member.value) else {
            throw wrong(member, expected: "the name of an event, like 'used'")
        }
        guard let name = HistoryEvent.Name(rawValue: text) else {
            let suggestion = Spelling.nearest(to: text, among: HistoryEvent.Name.allCases.map(\.rawValue))
            throw Failure(column: member.valueColumn, fault: .unknownEvent(text, suggestion: suggestion))
        }
        return name
    }

    private func time(_ key: String) throws(Failure) -> WallTime? {
        try read(key, "a time as in RFC 3339, like '2026-11-21T08:00:00.000Z'") { value in
            Self.text(value).flatMap { WallTime(rfc3339: $0) }
        }
    }

    private func word<Value>(
        _ key: String, _ words: [String], _ make: (String) -> Value?
    ) throws(Failure) -> Value? {
        let list = words.map { "'\($0)'" }.joined(separator: ", ")
        return try read(key, "one of " + list) { Self.text($0).flatMap(make) }
    }

    /// Nil for a member that is not there or null.
    private func read<Value>(
        _ key: String, _ expected: String, _ make: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
        guard let member = member(key) else { return nil }
        guard let value = make(member.value) else { throw wrong(member, expected: expected) }
        return value
    }

    private func required<Value>(_ value: Value?, _ key: String) throws(Failure) -> Value {
        guard let value else { throw Failure(column: 1, fault: .missing(key: key)) }
        return value
    }

    private func member(_ key: String) -> JSONLine.Member? {
        members.first { $0.key == key && $0.value != .null }
    }

    private func wrong(_ member: JSONLine.Member, expected: String) -> Failure {
        let text = member.value.text
        let found = text.count <= 80 ? text : text.prefix(79) + "…"
        return Failure(
            column: member.valueColumn,
            fault: .wrong(key: member.key, expected: expected, found: String(found)))
    }

    /// Nil for a text with a NUL: SQLite's texts end there, so the rest would be lost.
    private static func text(_ value: JSONValue) -> String? {
        if case .string(let text) = value, !text.utf8.contains(0) { text } else { nil }
    }

    private static func texts(_ value: JSONValue) -> [String]? {
        guard case .array(let values) = value else { return nil }
        let texts = values.compactMap(text)
        // The table keeps lists as words with spaces between them.
        return texts.count == values.count && texts.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
            ? texts : nil
    }

    private static func count(_ value: JSONValue) -> UInt64? {
        if case .integer(let number) = value { UInt64(exactly: number) } else { nil }
    }
}

extension Outcome {
    fileprivate static let allWords = [
        Outcome.succeeded, .failed, .expired, .killed, .crashed, .unloadable, .interrupted,
        .stopped,
    ].map(\.rawValue)
}
