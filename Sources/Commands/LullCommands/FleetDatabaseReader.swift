import Foundation
import LullAnswers
import LullFleet
import LullModel
import LullSystem

/// The read functions of a fleet's database, called by a command that waits for each answer, on a loop of its own.
package final class FleetDatabaseReader: FleetReader {
    private let loop: EventLoop
    private let connection: FleetConnection

    package init(
        _ fleet: FleetDefinition, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        do throws(LoopError) {
            loop = try EventLoop()
            connection = try FleetConnection(
                fleet, credentials: environment["CREDENTIALS_DIRECTORY"], on: loop,
                random: SystemRandomNumberGenerator())
        } catch {
            throw Failure(error.message)
        }
    }

    package func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String {
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
        self.init(trouble.sentence)
    }
}

extension FleetTrouble {
    package var sentence: String {
        // A host tries again; a command does not.
        message + (fix.map { " " + $0.replacing("; Lull tries again", with: "") } ?? "")
    }
}

/// Turns an error of the fleet's database into a failure of the command.
package func askingFleet<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as FleetReadError {
        throw Failure(error.message)
    }
}
