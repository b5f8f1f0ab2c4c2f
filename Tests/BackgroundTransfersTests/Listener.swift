import BackgroundTransfers
import Synchronization

/// A delegate that notes its calls.
class Listener: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, @unchecked Sendable {
    private let told = Mutex<[String]>([])
    private let awaited: AsyncStream<String>
    private let saying: AsyncStream<String>.Continuation

    override init() {
        (awaited, saying) = AsyncStream<String>.makeStream()
        super.init()
    }

    var lines: [String] { told.withLock { $0 } }

    func say(_ line: String) {
        told.withLock { $0.append(line) }
        saying.yield(line)
    }

    /// Returns when it has noted a line that begins like this.
    func wait(for beginning: String) async {
        for await line in awaited where line.hasPrefix(beginning) { return }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let text = (try? String(contentsOf: location, encoding: .utf8)) ?? "nothing"
        let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
        say("finished \(downloadTask.taskIdentifier): \(text) with \(status)")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        say(
            "wrote \(downloadTask.taskIdentifier): \(bytesWritten), \(totalBytesWritten) of "
                + "\(totalBytesExpectedToWrite)")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        say("resumed \(downloadTask.taskIdentifier): at \(fileOffset) of \(expectedTotalBytes)")
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        say("received \(dataTask.taskIdentifier): \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        say(
            "sent \(task.taskIdentifier): \(bytesSent), \(totalBytesSent) of \(totalBytesExpectedToSend)")
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        say("waits \(task.taskIdentifier)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let code = (error as? URLError).map { " \($0.code.rawValue), \($0.localizedDescription)" } ?? ""
        say("completed \(task.taskIdentifier)\(code)")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { say("invalid") }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { say("events") }
}
