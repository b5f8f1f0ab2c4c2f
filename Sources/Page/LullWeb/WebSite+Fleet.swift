import LullAnswers

/// All hosts that share a database.
extension WebSite {
    nonisolated func fleet(_ query: [String: String]) async throws -> WebReply {
        var span = TimelineSpan.night
        var name = ""
        for (key, value) in query {
            switch key {
            case "span":
                span = try Self.known(TimelineSpan(rawValue: value), key, value, "night, day or week")
            case "find":
                guard value.count <= RunQuery.mostText else {
                    throw WebRefusal(400, "find may have \(RunQuery.mostText) characters.")
                }
                name = value
            default: throw WebRefusal(400, "'\(key)' is not known here. The keys here are: span and find.")
            }
        }
        return WebReply(body: try await answers.fleet(span, finding: name))
    }
}
