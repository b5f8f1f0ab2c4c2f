import Foundation
import LullAnswers
import LullCommands
import LullFleet
import LullModel
import LullSystem

/// The read functions of a fleet's database, called by a command that waits for each answer, on a loop of its own.
final class FleetDatabaseReader: FleetReader {
    private let loop: EventLoop
    private let connection: FleetConnection

    init(_ fleet: FleetDefinition, environment: [String: String] = ProcessInfo.processInfo.environment) throws
    {
        do throws(LoopError) {
            loop = try EventLoop()
            connection = try FleetConnection(
                fleet, credentials: environment["CREDENTIALS_DIRECTORY"], on: loop,
                random: SystemRandomNumberGenerator())
        } catch {
            throw Failure(error.message)
        }
    }

    func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String {
        var answer: Result<String, FleetTrouble>?
        connection.call(function, question.text, .question) { [loop] in
            answer = $0
            loop.stop()
        }
        while answer == nil { loop.run() }
        switch answer {
        case .success(let text): return text
        case .failure(let trouble): throw FleetReadError(trouble)
        case nil: preconditionFailure("The loop runs until there is an answer.")
        }
    }
}

extension FleetReadError {
    init(_ trouble: FleetTrouble) {
        self.init(FleetSentences.trouble(trouble))
    }
}
