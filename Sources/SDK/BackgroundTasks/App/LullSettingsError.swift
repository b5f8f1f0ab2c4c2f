import Foundation

/// Settings in `jobs.yaml` that the plugin can't decode.
public struct LullSettingsError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
    /// Whose settings they are, such as `task com.example.Feed.refresh`.
    public let owner: String
    /// Where in the settings, as a JSON pointer in the manifest's spelling; empty for the whole.
    public let pointer: String
    /// The problem there, as a phrase.
    public let problem: String

    public var description: String {
        let place = pointer.isEmpty ? "" : " at \(pointer)"
        return "The settings of \(owner) do not fit\(place): \(problem). Correct them in jobs.yaml."
    }

    public var errorDescription: String? { description }

    static func decode<T: Decodable>(_ type: T.Type, from json: String, of owner: String) throws -> T {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(type, from: Data(json.utf8))
        } catch let error as DecodingError {
            throw LullSettingsError(error, of: owner)
        }
    }

    init(_ error: DecodingError, of owner: String) {
        self.owner = owner
        switch error {
        case .keyNotFound(let key, let context):
            pointer = Self.pointer(context.codingPath + [key])
            problem = "there is nothing"
        case .valueNotFound(let type, let context):
            pointer = Self.pointer(context.codingPath)
            problem = "null is not a value of the type \(type)"
        case .typeMismatch(let type, let context):
            pointer = Self.pointer(context.codingPath)
            problem = "it is not of the type \(type)"
        case .dataCorrupted(let context):
            pointer = Self.pointer(context.codingPath)
            problem = context.debugDescription.trimmingCharacters(in: CharacterSet(charactersIn: ". "))
        @unknown default:
            pointer = ""
            problem = "\(error)"
        }
    }

    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { key in "/" + (key.intValue.map(String.init) ?? manifestSpelling(of: key.stringValue)) }
            .joined()
    }

    /// `keepDays` is `keep_days` in the manifest.
    private static func manifestSpelling(of name: String) -> String {
        name.reduce(into: "") { spelling, character in
            if character.isUppercase, !spelling.isEmpty { spelling += "_" }
            spelling += character.lowercased()
        }
    }
}
