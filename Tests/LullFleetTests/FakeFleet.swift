import Foundation
import LullModel

@testable import LullFleet

/// The database's side of the mirror and of shared uses, as its functions work.
final class FakeFleet {
    struct Call: Decodable {
        struct Event: Decodable {
            let seq: Int64
            let withheld: Int64?
            let line: JSONValue
        }
        struct Output: Decodable {
            let run: RunID
            let sequence: Int64
            let text: String
        }
        let place: String
        let after: Int64?
        let through: Int64?
        let withheld: Int64?
        let before: Int64?
        let events: [Event]?
        let outputs: [Output]?
        let apps: [AppIdentifier]?
        let uses: [FleetUse]?
        let since: Int64?
        let oldest: Int64?
    }

    struct Kept {
        let use: FleetUse
        let place: String
    }

    var clock = MonotonicTime(nanoseconds: 0)
    /// The time that a call takes.
    var takes: Duration = .milliseconds(10)
    private(set) var events: [Int64: JSONValue] = [:]
    private(set) var outputs: [RunID: String] = [:]
    private(set) var through: Int64 = 0
    /// The place whose history it received last; `others` has those of all other places.
    private(set) var place = ""
    private(set) var others: [String: (events: [Int64: JSONValue], through: Int64)] = [:]
    private(set) var missing: Int64 = 0
    private(set) var uses: [Kept] = []
    private(set) var calls: [Call] = []
    /// The number of uses in one answer.
    var page = 500
    /// The fates of the next calls; all later ones succeed.
    var fates: [Fate] = []
    /// Events that it refuses unless their line is bare.
    var refused: Set<Int64> = []
    var refusedBarely: Set<Int64> = []

    enum Fate {
        case well
        case fails
        case refuses
        /// The call is carried out, and the answer is lost.
        case lost
        /// The connection ends before the call.
        case away
        /// The call is neither answered nor carried out.
        case hangs
    }

    func call(
        _ function: String, _ json: String, _ then: (Result<String, FleetUnanswered>) -> Void
    ) {
        guard let call = FleetJSON.decode(Call.self, json) else { return then(.failure(.refused("no JSON"))) }
        calls.append(call)
        clock = clock + takes
        switch fates.isEmpty ? .well : fates.removeFirst() {
        case .well: then(answer(function, call))
        case .fails: then(.failure(.failed("the disk is full.")))
        case .refuses: then(.failure(.refused("a rule forbids it.")))
        case .lost:
            _ = answer(function, call)
            then(.failure(.away))
        case .away: then(.failure(.away))
        case .hangs: break
        }
    }

    /// A failover loses the last commits.
    func lose(after number: Int64) {
        events = events.filter { $0.key <= number }
        through = number
    }

    private func answer(_ function: String, _ call: Call) -> Result<String, FleetUnanswered> {
        function == "mirror_1" ? mirror(call) : share(call)
    }

    private func mirror(_ call: Call) -> Result<String, FleetUnanswered> {
        if call.place != place {
            others[place] = (events, through)
            (events, through) = others[call.place] ?? ([:], 0)
            place = call.place
        }
        let lacks = (call.after ?? 0) > through
        let new = lacks ? [] : (call.events ?? []).filter { $0.seq > through }
        for event in new {
            let isBare = event.line == ["bare": true]
            if refusedBarely.contains(event.seq) || (refused.contains(event.seq) && !isBare) {
                return .failure(.refused("a number is out of range."))
            }
        }
        for event in new { events[event.seq] = event.line }
        for output in call.outputs ?? [] { outputs[output.run] = output.text }
        let last = max(new.last?.seq ?? 0, lacks ? 0 : call.through ?? 0)
        if last > through {
            let stay = new.reduce((call.before ?? 0) + (call.withheld ?? 0)) { $0 + ($1.withheld ?? 0) }
            let first = (new.first?.seq ?? last + 1) - (new.first?.withheld ?? 0) - (call.before ?? 0)
            missing += last - (through == 0 ? first - 1 : through) - Int64(new.count) - stay
            through = last
        }
        return .success("{\"through\":\(through),\"oldest\":0,\"now\":0,\"missing\":\(missing)}")
    }

    private func share(_ call: Call) -> Result<String, FleetUnanswered> {
        for use in call.uses ?? [] where !uses.contains(where: { $0.use == use }) {
            uses.append(Kept(use: use, place: call.place))
        }
        let since = Int(call.since ?? 0)
        let others = uses.enumerated().dropFirst(since).filter {
            $0.element.place != call.place && call.apps?.contains($0.element.use.app) == true
        }
        let told = others.prefix(page)
        let isCut = others.count > page
        // As if the last use had just come: it is sent again.
        let cursor = isCut ? (told.last?.offset ?? since) : max(since, uses.count - 1)
        let list = told.map {
            "{\"app\":\"\($0.element.use.app)\",\"at\":\($0.element.use.time.milliseconds)}"
        }
        return .success(
            "{\"now\":0,\"uses\":[\(list.joined(separator: ","))],\"cursor\":\(cursor),\"more\":\(isCut)}")
    }
}
