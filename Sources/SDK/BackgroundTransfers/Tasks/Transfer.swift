import Foundation
import FoundationNetworking
import Synchronization

/// A task of a background session: its order and its progress.
///
/// The app sees a subclass of FoundationNetworking's class, which forwards to this one.
final class Transfer: Sendable {
    let identifier: Int
    let isUpload: Bool
    let session: BackgroundSession
    let originalRequest: URLRequest?
    /// Counts what is sent and received; cancelling it cancels the transfer.
    let progress: Progress
    private let state: Mutex<State>

    struct State {
        var order: TransferOrder
        var phase = URLSessionTask.State.suspended
        /// The host's number; 0 until the transfer is ordered.
        var number: UInt64 = 0
        var record: TransferRecord?
        var telling = TransferTelling()
        var error: URLError?
        var priority = URLSessionTask.defaultPriority
        var resumeData: Data?
        /// The object that the app sees, which holds this one.
        weak var task: (any TransferTask)?
    }

    /// A transfer that is not ordered before it is resumed.
    init(_ order: TransferOrder, request: URLRequest?, of session: BackgroundSession) {
        self.session = session
        identifier = Int(clamping: order.ordinal)
        isUpload = order.isUpload
        originalRequest = request
        progress = Progress(totalUnitCount: -1)
        state = Mutex(State(order: order))
        progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    /// A transfer that an earlier process has ordered.
    convenience init(_ record: TransferRecord, of session: BackgroundSession) {
        self.init(record.order, request: URLRequest(record.order), of: session)
        state.withLock { state in
            state.number = record.number
            state.phase = .running
        }
    }

    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        state.withLock(body)
    }

    var task: (any TransferTask)? {
        get { state.withLock { $0.task } }
        set { state.withLock { $0.task = newValue } }
    }

    // MARK: What it was asked for

    var label: String? {
        get { state.withLock(\.order.label) }
        set { state.withLock { $0.order.label = newValue } }
    }
    var earliestBegin: Date? {
        get { state.withLock(\.order.earliestBegin) }
        set { state.withLock { $0.order.earliestBegin = newValue } }
    }
    var expectedToSend: Int64 {
        get { state.withLock(\.order.expectedToSend) }
        set { state.withLock { $0.order.expectedToSend = newValue } }
    }
    var expectedToReceive: Int64 {
        get { state.withLock(\.order.expectedToReceive) }
        set { state.withLock { $0.order.expectedToReceive = newValue } }
    }
    var priority: Float {
        get { state.withLock(\.priority) }
        set { state.withLock { $0.priority = newValue } }
    }

    // MARK: How far it is

    var phase: URLSessionTask.State { state.withLock(\.phase) }
    var number: UInt64 { state.withLock(\.number) }
    var error: (any Error)? { state.withLock { $0.error } }
    var received: Int64 { state.withLock { $0.record?.received ?? 0 } }
    var toReceive: Int64 { state.withLock { $0.record?.toReceive ?? NSURLSessionTransferSizeUnknown } }
    var sent: Int64 { state.withLock { $0.record?.sent ?? 0 } }
    var toSend: Int64 { state.withLock { $0.record?.toSend ?? NSURLSessionTransferSizeUnknown } }

    /// The server's response, once all of it has arrived.
    var response: HTTPURLResponse? {
        guard let record = state.withLock(\.record), record.phase == .finished else { return nil }
        return HTTPURLResponse(record)
    }

    /// The request after all redirections.
    var currentRequest: URLRequest? {
        var request = originalRequest
        if let url = state.withLock({ $0.record?.url }).flatMap({ URL(string: $0) }) { request?.url = url }
        return request
    }

    /// Stores the record, and returns the new events.
    func update(_ record: TransferRecord) -> [TransferEvent] {
        let events = state.withLock { state in
            state.number = record.number
            state.record = record
            if !record.phase.isOver, state.phase != .canceling {
                state.phase = record.phase == .paused ? .suspended : .running
            }
            return state.telling.events(of: record)
        }
        progress.totalUnitCount = record.order.isUpload ? record.toSend : record.toReceive
        progress.completedUnitCount = record.order.isUpload ? record.sent : record.received
        return events
    }

    // MARK: What the app does with it

    func resume() {
        let isNew = state.withLock { state -> Bool? in
            guard state.phase == .suspended else { return nil }
            state.phase = .running
            return state.number == 0
        }
        guard let isNew else { return }
        if isNew { session.begin(self) } else { session.act(.resume, on: self) }
    }

    func suspend() {
        let wasBegun = state.withLock { state in
            guard state.phase == .running else { return false }
            state.phase = .suspended
            return state.number != 0
        }
        if wasBegun { session.act(.suspend, on: self) }
    }

    func cancel() { cancel(.cancel) }

    /// Cancels the transfer, and returns its resume data; nil if there is none.
    func cancelKeeping() -> Data? {
        guard !isUpload, cancel(.cancelKeeping) else { return nil }
        return state.withLock(\.resumeData)
    }

    /// Cancels the transfer. True if the host had recorded it.
    @discardableResult
    private func cancel(_ act: TransferTable.Act) -> Bool {
        let request = originalRequest
        let wasBegun = state.withLock { state -> Bool? in
            guard state.phase == .running || state.phase == .suspended else { return nil }
            state.phase = .canceling
            if act == .cancelKeeping, state.number != 0 {
                state.resumeData = ResumeData(state.number, request, received: state.record?.received).data
            }
            return state.number != 0
        }
        guard let wasBegun else { return false }
        guard wasBegun else {
            session.end(self, .cancelled(nil))
            return false
        }
        session.act(act, on: self)
        return true
    }

    /// Marks the transfer as over.
    func end(_ error: URLError?) {
        state.withLock { state in
            state.phase = .completed
            state.error = error
        }
    }
}
