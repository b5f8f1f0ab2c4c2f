import BackgroundTransfers
import Foundation
import Testing

/// A session that is not a background session is FoundationNetworking's, which calls its delegate as usual.
@Suite(.timeLimit(.minutes(20))) struct OtherSessionTests {
    private func dataURL() throws -> URL { try #require(URL(string: "data:text/plain,hello")) }

    @Test func `its delegate hears of its tasks`() async throws {
        let listener = Listener()
        let session = URLSession(configuration: .default, delegate: listener, delegateQueue: nil)
        session.dataTask(with: try dataURL()).resume()
        await listener.wait(for: "completed")
        session.finishTasksAndInvalidate()
        await listener.wait(for: "invalid")
        #expect(listener.lines == ["received 1: hello", "completed 1", "invalid"])
    }

    @Test func `its handlers are called, and the shared one is there`() async throws {
        let (data, _) = try await URLSession.shared.data(from: dataURL())
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        let shared: URLSession = .shared
        #expect(shared === URLSession.shared && shared.configuration.identifier == nil)
        let tasks = await shared.allTasks
        #expect(tasks.isEmpty)
    }
}
