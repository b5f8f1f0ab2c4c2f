import BackgroundTasksUI
import BackgroundTransfers

// A SwiftUI app that handles its transfers in `backgroundTask(.urlSession)`.

@main
struct TransferUIApp: App {
    var body: some Scene {
        WindowGroup {}
            .backgroundTask(.urlSession("MySession")) {
                await Mirror().events()
            }
            .backgroundTask(.urlSession(matching: { $0.hasPrefix("other.") })) { identifier in
                print("events for \(identifier)")
            }
    }
}

final class Mirror: NSObject, URLSessionDownloadDelegate, Sendable {
    private let (ends, end) = AsyncStream<Void>.makeStream()

    /// Returns after the last of the session's events.
    func events() async {
        let config = URLSessionConfiguration.background(withIdentifier: "MySession")
        let session = URLSession(configuration: config, delegate: self, delegateQueue: nil)
        for await _ in ends { break }
        print("\(await session.allTasks.count) tasks are left")
        session.finishTasksAndInvalidate()
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        print("downloaded \(downloadTask.countOfBytesReceived) bytes")
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { end.yield() }
}
