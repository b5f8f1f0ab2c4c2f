import Foundation

/// A folder that is deleted with this value.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    @discardableResult
    public func file(_ name: String, _ text: String? = nil) throws -> String {
        let file = path + "/" + name
        if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
        return file
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
