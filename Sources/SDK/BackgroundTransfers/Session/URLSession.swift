import BackgroundTasks
import Foundation
import FoundationNetworking

/// A session: FoundationNetworking's or, with a configuration of `background(withIdentifier:)`, one whose transfers go on
/// without the app.
///
/// Lull carries out the transfers of a background session, over HTTP and HTTPS, in a process of its own, whatever becomes of
/// the app, its worker and the host. jobs.yaml allows it with `transfers` in the app's entry. A session that is made anew
/// under its identifier receives the events of its transfers; the app is launched for that when all of them have ended. As on
/// Apple's systems it has downloads and uploads of files, and a delegate. `resume()` returns when the transfer has been
/// recorded, and an upload's file may be deleted then.
///
/// Apple: Foundation, `URLSession`.
// Sendable: as its superclass; what it has itself is constant.
open class URLSession: FoundationNetworking.URLSession, @unchecked Sendable {
    /// Nil for a session that is FoundationNetworking's in all that it does.
    let background: BackgroundSession?

    public override init(configuration: URLSessionConfiguration) {
        background = Self.background(configuration)
        super.init(configuration: configuration)
        background?.open(self)
    }

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        background = Self.background(configuration)
        super.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
        background?.open(self)
    }

    private static func background(_ configuration: URLSessionConfiguration) -> BackgroundSession? {
        guard configuration is BackgroundConfiguration, let identifier = configuration.identifier else {
            return nil
        }
        return BackgroundSession(identifier: identifier, table: TransferTable.current)
    }

    private static let own = URLSession(configuration: .default)
    override open class var shared: URLSession { own }

    // MARK: Tasks

    override open func downloadTask(with url: URL) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url))
    }

    override open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        background?.download(request, in: self) ?? super.downloadTask(with: request)
    }

    override open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        background?.download(resumeData, in: self) ?? super.downloadTask(withResumeData: resumeData)
    }

    override open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
        background?.upload(request, fileURL, in: self) ?? super.uploadTask(with: request, fromFile: fileURL)
    }

    override open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        background?.refuse("upload tasks from NSData")
        return super.uploadTask(with: request, from: bodyData)
    }

    override open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        background?.refuse("upload tasks from a stream")
        return super.uploadTask(withStreamedRequest: request)
    }

    // MARK: With a handler, which a background session does not have

    override open func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        background?.refuse("completion handler blocks")
        return super.downloadTask(with: url, completionHandler: completionHandler)
    }

    override open func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        background?.refuse("completion handler blocks")
        return super.downloadTask(with: request, completionHandler: completionHandler)
    }

    override open func downloadTask(
        withResumeData resumeData: Data,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        background?.refuse("completion handler blocks")
        return super.downloadTask(withResumeData: resumeData, completionHandler: completionHandler)
    }

    override open func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        background?.refuse("completion handler blocks")
        return super.uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler)
    }

    override open func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        background?.refuse("completion handler blocks")
        return super.uploadTask(with: request, from: bodyData, completionHandler: completionHandler)
    }

    override open func dataTask(
        with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        background?.refuse("completion handler blocks")
        return super.dataTask(with: url, completionHandler: completionHandler)
    }

    override open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        background?.refuse("completion handler blocks")
        return super.dataTask(with: request, completionHandler: completionHandler)
    }

    // MARK: All of its tasks

    // Preconcurrency, as Apple's: in Swift 5 a handler may change what it captures.
    @preconcurrency override open func getAllTasks(
        completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void
    ) {
        guard let background else { return super.getAllTasks(completionHandler: completionHandler) }
        background.withTasks(completionHandler)
    }

    @preconcurrency override open func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) ->
            Void
    ) {
        guard let background else { return super.getTasksWithCompletionHandler(completionHandler) }
        background.withTasks { tasks in
            completionHandler(
                [], tasks.compactMap { $0 as? URLSessionUploadTask },
                tasks.compactMap { $0 as? URLSessionDownloadTask })
        }
    }

    // MARK: Its end

    override open func finishTasksAndInvalidate() {
        guard let background else { return super.finishTasksAndInvalidate() }
        background.invalidate(cancelling: false)
    }

    override open func invalidateAndCancel() {
        guard let background else { return super.invalidateAndCancel() }
        background.invalidate(cancelling: true)
    }

    /// All of its transfers are over: the delegate is told, and let go.
    func endInvalidation() { super.finishTasksAndInvalidate() }
}

extension URLSession {
    /// Apple: Foundation, `URLSession.allTasks`.
    nonisolated(nonsending) public var allTasks: [URLSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }

    /// Apple: Foundation, `URLSession.tasks`.
    nonisolated(nonsending) public var tasks:
        ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask])
    {
        get async {
            await withCheckedContinuation { continuation in
                getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
            }
        }
    }
}
