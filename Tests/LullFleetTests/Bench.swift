import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// A loop with connections to one fleet, for tests that wait for answers; a test that waits too long fails.
final class Bench {
    let loop: EventLoop
    let fleet: String
    private var alarm: LoopTimer?
    private(set) var isLate = false

    struct Late: Error {}

    init(_ fleet: String) throws {
        loop = try EventLoop()
        self.fleet = fleet
        alarm = try LoopTimer(on: loop) { [unowned self] in
            isLate = true
            loop.stop()
        }
    }

    func connection(_ database: String, timeout: Duration = hangLimit, credentials: String? = nil)
        throws -> FleetConnection
    {
        try FleetConnection(
            FleetDefinition(database: database, name: fleet), credentials: credentials, on: loop,
            random: SeededGenerator(seed: 1), timeout: timeout)
    }

    /// Runs the loop until `isOver` holds after an event of the connections.
    func run(until isOver: () -> Bool) throws {
        alarm?.arm(Clock.monotonic + hangLimit)
        while !isOver() {
            loop.run()
            guard !isLate else { throw Late() }
        }
        alarm?.arm(nil)
    }

    /// Sends all calls at once; returns the answers in the order of the calls.
    func ask(_ calls: [(FleetConnection, FleetCall)]) throws -> [Result<FleetAnswer, FleetTrouble>] {
        var answers: [Result<FleetAnswer, FleetTrouble>?] = calls.map { _ in nil }
        for (index, (connection, call)) in calls.enumerated() {
            connection.call(call) { [loop] answer in
                #expect(answers[index] == nil, "it was answered before")
                answers[index] = answer
                loop.stop()
            }
        }
        try run { !answers.contains { $0 == nil } }
        return answers.compactMap { $0 }
    }

    func ask(_ connection: FleetConnection, _ call: FleetCall) throws -> FleetAnswer {
        try #require(try ask([(connection, call)]).first).get()
    }

    func trouble(_ connection: FleetConnection, _ call: FleetCall) throws -> FleetTrouble? {
        guard case .failure(let trouble) = try #require(try ask([(connection, call)]).first) else {
            return nil
        }
        return trouble
    }

    static func hello(_ host: String, task: TaskIdentifier? = nil) -> FleetHello {
        FleetHello(
            host: host, place: "place-" + host, name: "name-" + host, boot: "b", version: "1", manifest: "m",
            labels: ["zone": host],
            jobs: task.map { [.init(task: $0, definitionHash: "m", scope: .anyHost)] } ?? [])
    }
}
