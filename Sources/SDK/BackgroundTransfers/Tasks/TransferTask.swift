import Foundation
import FoundationNetworking

/// A task of a background session, as FoundationNetworking's class that an app sees.
protocol TransferTask: URLSessionTask {
    var transfer: Transfer { get }
}

/// A download of a background session.
// Sendable: as its superclass; what it has itself is constant.
final class BackgroundDownloadTask: URLSessionDownloadTask, TransferTask, @unchecked Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
        super.init()
        transfer.task = self
    }

    override var taskIdentifier: Int { transfer.identifier }
    override var originalRequest: URLRequest? { transfer.originalRequest }
    override var currentRequest: URLRequest? {
        get { transfer.currentRequest }
        set {}
    }
    override var response: URLResponse? {
        get { transfer.response }
        set {}
    }
    override var taskDescription: String? {
        get { transfer.label }
        set { transfer.label = newValue }
    }
    override var countOfBytesClientExpectsToSend: Int64 {
        get { transfer.expectedToSend }
        set { transfer.expectedToSend = newValue }
    }
    override var countOfBytesClientExpectsToReceive: Int64 {
        get { transfer.expectedToReceive }
        set { transfer.expectedToReceive = newValue }
    }
    override var countOfBytesSent: Int64 {
        get { transfer.sent }
        set {}
    }
    override var countOfBytesReceived: Int64 {
        get { transfer.received }
        set {}
    }
    override var countOfBytesExpectedToSend: Int64 {
        get { transfer.toSend }
        set {}
    }
    override var countOfBytesExpectedToReceive: Int64 {
        get { transfer.toReceive }
        set {}
    }
    override var state: URLSessionTask.State {
        get { transfer.phase }
        set {}
    }
    override var error: (any Error)? {
        get { transfer.error }
        set {}
    }
    override var progress: Progress { transfer.progress }
    override var priority: Float {
        get { transfer.priority }
        set { transfer.priority = newValue }
    }

    override func resume() { transfer.resume() }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        let data = transfer.cancelKeeping()
        // Safe: it is called once, on the delegate's queue, as Apple's is, and nobody else has it.
        nonisolated(unsafe) let completionHandler = completionHandler
        transfer.session.handBack { completionHandler(data) }
    }
}

/// An upload of a background session.
///
/// It overrides what the download does, for Swift has no way to give two superclasses the same overrides.
// Sendable: as its superclass; what it has itself is constant.
final class BackgroundUploadTask: URLSessionUploadTask, TransferTask, @unchecked Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
        super.init()
        transfer.task = self
    }

    override var taskIdentifier: Int { transfer.identifier }
    override var originalRequest: URLRequest? { transfer.originalRequest }
    override var currentRequest: URLRequest? {
        get { transfer.currentRequest }
        set {}
    }
    override var response: URLResponse? {
        get { transfer.response }
        set {}
    }
    override var taskDescription: String? {
        get { transfer.label }
        set { transfer.label = newValue }
    }
    override var countOfBytesClientExpectsToSend: Int64 {
        get { transfer.expectedToSend }
        set { transfer.expectedToSend = newValue }
    }
    override var countOfBytesClientExpectsToReceive: Int64 {
        get { transfer.expectedToReceive }
        set { transfer.expectedToReceive = newValue }
    }
    override var countOfBytesSent: Int64 {
        get { transfer.sent }
        set {}
    }
    override var countOfBytesReceived: Int64 {
        get { transfer.received }
        set {}
    }
    override var countOfBytesExpectedToSend: Int64 {
        get { transfer.toSend }
        set {}
    }
    override var countOfBytesExpectedToReceive: Int64 {
        get { transfer.toReceive }
        set {}
    }
    override var state: URLSessionTask.State {
        get { transfer.phase }
        set {}
    }
    override var error: (any Error)? {
        get { transfer.error }
        set {}
    }
    override var progress: Progress { transfer.progress }
    override var priority: Float {
        get { transfer.priority }
        set { transfer.priority = newValue }
    }

    override func resume() { transfer.resume() }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
}
