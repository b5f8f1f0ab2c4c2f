private import FoundationEssentials

/// Why the fleet's database gave no answer to a call.
public enum FleetUnanswered: Error, Sendable, Equatable {
    /// There is no connection, or it ended amid the call: whether the call counts is not known.
    case away
    /// The database can't take what the call says, and never will: a value that it has no room for.
    case refused(String)
    /// All else that it says, such as that its disk is full or that a function is not there.
    case failed(String)
}

/// A call of a function with the name and JSON, and of `then` with the function's JSON, or why there is none, on the loop, once.
public typealias FleetCaller = (
    _ function: String, _ json: String, _ then: @escaping (Result<String, FleetUnanswered>) -> Void
) -> Void

extension FleetConnection {
    /// Calls through this connection, behind all that is more urgent.
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
            // Of data: a number out of range, a text that is none.
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
    /// What every function of the schema takes. PostgreSQL stores every character but one.
    public static func text(_ value: some Encodable) -> String {
        let data = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
        return String(decoding: data, as: UTF8.self).replacing("\\u0000", with: "\\ufffd")
    }

    /// Nil: it is no such value.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
