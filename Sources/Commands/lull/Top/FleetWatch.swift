import Foundation
import LullAnswers
import LullCommands
import LullModel
import LullSystem
import Synchronization

/// The news of the fleet for a live view.
enum FleetNews: LiveNews {
    case overview(FleetOverview, at: WallTime)
    case why(FleetWhy)
    /// The database gave no answer; the sentence says why.
    case away(String)

    var isChange: Bool {
        if case .overview = self { true } else { false }
    }
}

enum FleetTopQuestion: Equatable, Sendable {
    case why(TaskIdentifier)
}

/// Asks the fleet's database every few seconds for the state of the fleet, on a thread of its own, so that a database that
/// hangs delays no key. While it does not answer, each look is a new connection.
final class FleetWatch: LiveSource {
    private let fleet: FleetDefinition
    private let channel: LoopChannel<FleetNews>
    private let queue = DispatchQueue(label: "lull.fleet")
    /// Used on the queue alone.
    private let reader = Mutex<FleetDatabaseReader?>(nil)

    private static let span = 5.0
    /// A slow database is asked less often.
    private static let share = 10.0

    init(_ fleet: FleetDefinition, channel: LoopChannel<FleetNews>) {
        self.fleet = fleet
        self.channel = channel
    }

    func start() { queue.async { [self] in look() } }

    func ask(_ question: FleetTopQuestion) {
        queue.async { [self] in
            switch question {
            case .why(let task): tell { .why(try FleetWhy.read(task, from: $0)) }
            }
        }
    }

    private func look() {
        let began = Clock.monotonic
        let isAnswered = tell { .overview(try FleetOverview.read(from: $0), at: Clock.wall) }
        let took = isAnswered ? (Clock.monotonic - began).inSeconds : 0
        queue.asyncAfter(deadline: .now() + max(Self.span, Self.share * took)) { [self] in look() }
    }

    /// Returns whether there was an answer.
    @discardableResult
    private func tell(_ read: @Sendable (FleetDatabaseReader) throws -> FleetNews) -> Bool {
        reader.withLock { known in
            do {
                let reader = try known ?? FleetDatabaseReader(fleet)
                known = reader
                channel.send(try askingFleet { try read(reader) })
                return true
            } catch {
                known = nil
                channel.send(.away((error as? Failure)?.sentence ?? "\(error)"))
                return false
            }
        }
    }
}
