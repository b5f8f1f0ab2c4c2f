private import FoundationEssentials
import LullModel

extension FleetCall {
    /// The function's name in the schema.
    var function: String {
        switch self {
        case .hello: "hello_1"
        case .beat: "beat_1"
        case .claim: "claim_1"
        case .finish: "finish_1"
        case .leave: "leave_1"
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        let data =
            switch self {
            case .hello(let hello): try encoder.encode(hello)
            case .beat(let beat): try encoder.encode(Self.storable(beat))
            case .claim(let claim): try encoder.encode(claim)
            case .finish(let finish): try encoder.encode(Self.storable(finish))
            case .leave(let leave): try encoder.encode(leave)
            }
        return String(decoding: data, as: UTF8.self)
    }

    // PostgreSQL can't store a NUL, and the reason that a handler gives may contain one.

    private static func storable(_ finish: FleetFinish) -> FleetFinish {
        var finish = finish
        finish.reason = finish.reason.map(storable)
        return finish
    }
    private static func storable(_ beat: FleetBeat) -> FleetBeat {
        var beat = beat
        for index in beat.reports.indices {
            beat.reports[index].reason = beat.reports[index].reason.map(storable)
        }
        return beat
    }
    private static func storable(_ text: String) -> String { text.replacing("\0", with: "\u{FFFD}") }

    /// Decodes the function's answer to this call.
    func answer(_ json: String) throws -> FleetAnswer {
        let decoder = JSONDecoder()
        let data = Data(json.utf8)
        return switch self {
        case .hello: .hello(try decoder.decode(FleetHello.Answer.self, from: data))
        case .beat: .beat(try decoder.decode(FleetBeat.Answer.self, from: data))
        case .claim: .claim(try decoder.decode(FleetClaim.Answer.self, from: data))
        case .finish: .finish(try decoder.decode(FleetFinish.Answer.self, from: data))
        case .leave: .leave(try decoder.decode(FleetLeave.Answer.self, from: data))
        }
    }
}
