public import LullModel

/// The history as JSON Lines: one event a line, both ways.
///
/// Written keys come in a fixed order, times are RFC 3339. Lines that are read may have any order of keys, any offset,
/// and fields that this version does not know.
public enum HistoryLines {
    /// The limit of a line; no event is longer, not even with the output of a run that printed byte by byte.
    public static let lineBytes = 8 << 20

    /// The event as the JSON value of its line.
    public static func json(of event: HistoryEvent) -> JSONValue {
        guard let value = JSONValue(text: encode(event)) else {
            preconditionFailure("The line of an event is JSON.")
        }
        return value
    }

    /// The event as one line, without its newline; with the output of the run that it ends.
    public static func encode(_ event: HistoryEvent, with output: RunOutput? = nil) -> String {
        var line = "{\"time\":\"" + event.time.rfc3339 + "\",\"event\":\"" + event.event.rawValue
        line += "\",\"app\":\"" + event.app.text + "\""
        func put(_ key: String, _ json: String?) {
            guard let json else { return }
            line += ",\"" + key + "\":" + json
        }
        put("task", event.task.map { "\"" + $0.text + "\"" })
        put("request", event.request.map(\.description))
        put("run", event.run.map(\.description))
        put("kind", event.kind.map { "\"" + $0.rawValue + "\"" })
        put("origin", event.origin.map { "\"" + $0.rawValue + "\"" })
        put("earliest_begin", event.earliestBegin.map { "\"" + $0.rfc3339 + "\"" })
        put("requires", event.requires?.json.text)
        put("title", event.label?.title.map { JSONValue.string($0).text })
        put("subtitle", event.label?.subtitle.map { JSONValue.string($0).text })
        put("protection", event.label?.protection.map { JSONValue.string($0).text })
        put("occurrence", event.occurrence?.json.text)
        put("push", event.push?.json.text)
        put("gates", event.gates.map { JSONValue.array($0.map(JSONValue.string)).text })
        put("registered", event.registered.map { JSONValue.array($0.map { .string($0.text) }).text })
        put("stamp", event.stamp.map { JSONValue.string($0).text })
        put("outcome", event.outcome.map { "\"" + $0.rawValue + "\"" })
        put("ms", event.milliseconds.map(String.init))
        put("price", event.price.map { JSONValue.number($0).text })
        put("budget", event.budget.map { JSONValue.number($0).text })
        put("shares", event.shares.map { JSONValue.object(shares: $0).text })
        put("expected_by", event.expectedBy.map { "\"" + $0.rfc3339 + "\"" })
        put("trigger_event", event.triggerEvent?.json.text)
        put("notice", event.notice?.json.text)
        put("notification", event.notification?.json.text)
        put("transfer", event.transfer?.json.text)
        put("attempt", event.attempt.map { String($0.number) })
        put("attempts", event.attempt.map { String($0.most) })
        put("exit_code", event.exitCode.map { String($0) })
        put("cost", event.cost?.json.text)
        put("slot", event.slot?.json.text)
        put("absence", event.absence.map { "\"" + $0.rawValue + "\"" })
        put("provenance", event.provenance?.json.text)
        put("reason", event.reason.map { JSONValue.string($0).text })
        put("output_pieces", output?.json.text)
        return line + "}"
    }
}
