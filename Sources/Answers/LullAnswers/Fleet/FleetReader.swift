import Foundation
public import LullModel

/// The source of the fleet's views: the database's read functions, with JSON as argument and result.
public protocol FleetReader {
    func ask(_ function: String, _ question: JSONValue) throws(FleetReadError) -> String
}

/// Why the fleet's database could not be read.
public struct FleetReadError: Error, Sendable, Equatable {
    /// The message with a remedy.
    public var message: String
    public init(_ message: String) { self.message = message }
}

extension FleetReader {
    func ask<Answer: Decodable>(
        _ function: String, _ question: [String: JSONValue], as type: Answer.Type
    ) throws(FleetReadError) -> Answer {
        let text = try ask(function, .object(question))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let answer = try? decoder.decode(type, from: Data(text.utf8)) else {
            throw FleetReadError(
                "The fleet's database answers \(function) in a way that this version of Lull does not understand. Bring its schema to this version with `lull fleet init`, or use the `lull` of its version."
            )
        }
        return answer
    }
}
