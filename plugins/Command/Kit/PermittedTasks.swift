import Foundation

/// The identifiers that the manifest permits to this app, as the worker tells them in the app's settings.
public struct PermittedTasks: Sendable, Equatable {
    public var identifiers: [String]

    public init(appSettings json: String) throws(CommandError) {
        do {
            identifiers = try JSONDecoder().decode(Settings.self, from: Data(json.utf8)).lull.permitted
        } catch {
            throw .permitted
        }
    }

    private struct Settings: Decodable {
        var lull: Lull
    }

    private struct Lull: Decodable {
        var permitted: [String]
    }
}
