private import FoundationEssentials

/// Why the fleet's database gave no answer to a call.
public enum FleetUnanswered: Error, Sendable, Equatable {
    /// There is no connection, or it ended amid the call: whether the call counts is not known.
    case away
    /// The database will never accept the call: it has a value that does not fit.
    case refused(String)
    /// Any other trouble, such as a full disk or a missing function.
    case failed(String)
}

/// Calls the named function with JSON, then `then` on the loop, once, with the function's JSON or the reason why there is none.
public typealias FleetCaller = (
    _ function: String, _ json: String, _ then: @escaping (Result<String, FleetUnanswered>) -> Void
) -> Void

extension FleetConnection {
    /// Calls through this connection, after all more urgent calls.
    public var caller: FleetCaller {
        { [unowned self] function, json, then in
            call(function, json, .bulk) { result in then(result.mapError(FleetUnanswered.init)) }
        }
    }
}

extension FleetUnanswered {
    init(_ trouble: FleetTrouble) {
        switch trouble {
        case .refused(_, let state, let words):
            // Class 22 is for data: a number out of range, an invalid text.
            self =
                state.hasPrefix("22")
                ? .refused(words + ".")
                : .failed([trouble.message, trouble.fix].compactMap { $0 }.joined(separator: " "))
        case .unreadable, .newer, .noLibrary:
            self = .failed([trouble.message, trouble.fix].compactMap { $0 }.joined(separator: " "))
        case .unreachable, .silent, .broken, .ended: self = .away
        }
    }
}

public enum FleetJSON {
    /// The JSON that a function of the schema takes, without NUL, which PostgreSQL can't store.
    public static func text(_ value: some Encodable) -> String {
        let data = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
        return String(decoding: data, as: UTF8.self).replacing("\\u0000", with: "\\ufffd")
    }

    /// Nil if the text is no such value.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
