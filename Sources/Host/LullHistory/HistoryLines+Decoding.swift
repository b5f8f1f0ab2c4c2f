public import LullModel

extension HistoryLines {
    /// Problems beyond this many are only counted.
    static let problemCount = 100

    /// The events of a whole file, and the output of the runs that end with them.
    ///
    /// Throws `.lines` with the problems in the file's order. Empty lines are skipped. `uses`: a use at another time is a
    /// problem, because forecasts and the week rule would count with it.
    public static func decode(
        file bytes: some Sequence<UInt8>, path: String,
        uses: ClosedRange<WallTime> = .distantPast ... .distantFuture
    ) throws(HistoryError) -> (events: [HistoryEvent], outputs: [RunID: JSONValue]) {
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
                let (event, output) = try decode(line, number: number, path: path, uses)
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
        _ line: [UInt8], number: Int, path: String,
        _ uses: ClosedRange<WallTime> = .distantPast ... .distantFuture
    ) throws(LineProblem) -> (event: HistoryEvent, output: JSONValue?) {
        do throws(JSONLine.Failure) {
            guard line.count <= lineBytes else {
                throw JSONLine.Failure(column: 1, fault: .tooLong(bytes: line.count))
            }
            let fields = EventFields(members: try JSONLine.members(line))
            let event = try fields.event(uses)
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

    func event(_ uses: ClosedRange<WallTime>) throws(Failure) -> HistoryEvent {
        let time = try required(try self.time("time"), "time")
        let name = try required(try self.name(), "event")
        if name == .used, !uses.contains(time), let member = member("time") {
            throw wrong(member, expected: "a time from 2000 until now for a use")
        }
        let app = try required(try self.app(of: name), "app")
        var event = HistoryEvent(name, at: time, app: app)
        for field in EventField.all {
            guard let member = member(field.key) else { continue }
            guard field.set(member.value, in: &event) else { throw wrong(member, expected: field.expected) }
        }
        return event
    }

    func output(of event: HistoryEvent) throws(Failure) -> JSONValue? {
        guard let run = event.run, event.ending != nil else {
            return try read("output_pieces", "nothing, because '\(event.event.rawValue)' ends no run") { _ in
                nil
            }
        }
        let example =
            #"{"stream":"out","time":"2026-11-21T08:00:00.000Z","start_byte":0,"shared":false,"text":"done"}"#
        let expected = "a list, in the order in which it was printed, of objects like \(example)"
        return try read("output_pieces", expected) { given in
            RunOutput(json: given, of: run).map { _ in given }
        }
    }

    /// An event that concerns the host alone names the host here; any other event names its app.
    private func app(of name: HistoryEvent.Name) throws(Failure) -> AppIdentifier? {
        if name.concernsHost {
            return try read("app", "'host', because '\(name.rawValue)' concerns no app") { value in
                value.wholeText == AppIdentifier.host.text ? .host : nil
            }
        }
        return try read("app", EventField.identifier) { value in
            guard let text = value.wholeText else { return nil }
            return name.mayConcernHost && text == AppIdentifier.host.text ? .host : AppIdentifier(text)
        }
    }

    private func name() throws(Failure) -> HistoryEvent.Name? {
        guard let member = member("event") else { return nil }
        guard let text = member.value.wholeText else {
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
            value.wholeText.flatMap { WallTime(rfc3339: $0) }
        }
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
}

/// Between processes an event is its line.
extension HistoryEvent: Codable {
    public init(from decoder: any Decoder) throws {
        self = try HistoryLines.decode(String(from: decoder), number: 1, path: "the events")
    }

    public func encode(to encoder: any Encoder) throws { try HistoryLines.encode(self).encode(to: encoder) }
}
