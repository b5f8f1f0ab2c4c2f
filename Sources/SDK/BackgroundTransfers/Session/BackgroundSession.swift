import BackgroundTasks
import Foundation
import FoundationNetworking
import Synchronization

/// The part of a background session that an app does not see: it orders transfers from the host, and reports their events to
/// the session's delegate.
///
/// A look reads the state of all transfers and reports what is new of each, in order and once. All looks run on one queue.
final class BackgroundSession: Sendable {
    let identifier: String
    /// Nil in a process that is no worker.
    let table: TransferTable?
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private struct State: Sendable {
        weak var session: URLSession?
        /// Held until it is invalidated, as Apple's is.
        var held: URLSession?
        /// An ordinal that the session has not had; 0 until the host has named one.
        var next: UInt64 = 0
        var tasks: [UInt64: any TransferTask] = [:]
        /// The ordinals whose end was delivered, and whether the host has acknowledged that.
        var over: [UInt64: Bool] = [:]
        var isInvalid = false
        var hasRetry = false
        var telling = SerialCalls<URLSession>()
    }

    init(identifier: String, table: TransferTable?) {
        self.identifier = identifier
        self.table = table
        queue = DispatchQueue(label: "lull (background session \(identifier))")
    }

    /// Registers the session: from now on it receives the events of its transfers.
    func open(_ session: URLSession) {
        state.withLock { state in
            state.session = session
            state.held = session
        }
        BackgroundSessions.app.add(self)
        lookSoon()
    }

    var session: URLSession? { state.withLock { $0.session } }
    var delegate: (any URLSessionDelegate)? { session?.delegate as? any URLSessionDelegate }

    // MARK: Tasks

    /// Makes a task with the next ordinal.
    func makeTask(_ order: (UInt64) -> (TransferOrder, URLRequest?)) -> any TransferTask {
        queue.sync { if state.withLock({ $0.next == 0 }) { look() } }
        let ordinal = state.withLock { state in
            let ordinal = state.next == 0 ? unknownOrdinal : state.next
            state.next = ordinal + 1
            return ordinal
        }
        let (order, request) = order(ordinal)
        return Self.task(Transfer(order, request: request, of: self))
    }

    /// For when the host has named no ordinal: the time in milliseconds, which no session reaches by counting.
    private var unknownOrdinal: UInt64 {
        table == nil ? 1 : UInt64(max(1, Date().timeIntervalSince1970 * 1000))
    }

    private static func task(_ transfer: Transfer) -> any TransferTask {
        transfer.isUpload ? BackgroundUploadTask(transfer) : BackgroundDownloadTask(transfer)
    }

    /// Hands over all tasks that have begun and are not over.
    func withTasks(_ use: @escaping @Sendable ([any TransferTask]) -> Void) {
        queue.async { [self] in
            look()
            let tasks = state.withLock { $0.tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier } }
            tell { _ in use(tasks.filter { $0.state != .completed }) }
        }
    }

    /// Orders a transfer, and returns when the host has recorded it.
    func begin(_ transfer: Transfer) {
        let task = transfer.task
        let ordinal = transfer.withState { $0.order.ordinal }
        let isInvalid = state.withLock { state in
            state.tasks[ordinal] = task
            return state.isInvalid
        }
        let order = transfer.withState { state in
            // The label, the date and the like could be set until now.
            state.order.asksChallenges = true
            return state.order
        }
        guard !isInvalid else {
            return fail(
                transfer, .init(sentence: "The session was invalidated. Make a new one."))
        }
        do throws(TransferTable.Refusal) {
            guard let table else { throw TransferTable.noWorker }
            let number = try table.transfer(order)
            let isCancelled = transfer.withState { state in
                state.number = number
                return state.phase == .canceling
            }
            if isCancelled { act(.cancel, on: transfer) }
        } catch {
            fail(transfer, error)
        }
    }

    private func fail(_ transfer: Transfer, _ refusal: TransferTable.Refusal) {
        if refusal.isNotPermitted { LullApp.log(refusal.sentence, level: .error) }
        end(transfer, .refused(refusal.sentence))
    }

    func act(_ act: TransferTable.Act, on transfer: Transfer) {
        let number = transfer.number
        guard number != 0 else { return }
        do throws(TransferTable.Refusal) {
            guard let table else { throw TransferTable.noWorker }
            try table.act(act, on: number)
        } catch {
            LullApp.log(
                "The transfer of \(transfer.withState { $0.order.url }) can't be changed: \(error.sentence)",
                level: .warning)
        }
        lookSoon()
    }

    // MARK: Looks

    func lookSoon() { queue.async { [self] in look() } }

    /// Reads the state of all transfers, and reports what is new.
    private func look() {
        // A launch that comes after this look may be for transfers that it does not see.
        let owed = SessionEvents.app.owed(identifier)
        guard let table else { return tell { [self] session in finishEvents(session, of: owed) } }
        guard let (next, records) = table.transfers(of: identifier) else { return lookAgain() }
        state.withLock { $0.next = max($0.next, next) }
        for record in records { take(record) }
        let listed = Set(records.map(\.order.ordinal))
        state.withLock { $0.over = $0.over.filter { listed.contains($0.key) } }
        tell { [self] session in finishEvents(session, of: owed) }
    }

    /// Looks again in a second: the host does not answer, or an end could not be delivered.
    private func lookAgain() {
        let isFirst = state.withLock { state in
            defer { state.hasRetry = true }
            return !state.hasRetry
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + 1) { [self] in
            state.withLock { $0.hasRetry = false }
            look()
        }
    }

    private func take(_ record: TransferRecord) {
        let ordinal = record.order.ordinal
        let (task, isHeard) = state.withLock { state -> ((any TransferTask)?, Bool) in
            if let isHeard = state.over[ordinal] { return (nil, isHeard) }
            if let task = state.tasks[ordinal] { return (task, true) }
            let task = Self.task(Transfer(record, of: self))
            state.tasks[ordinal] = task
            return (task, true)
        }
        if !isHeard { try? table?.act(.taken, on: record.number) }
        guard let task else { return }
        for event in task.transfer.update(record) {
            tell { [self] session in tell(event, of: task, session) }
        }
    }

    // MARK: Telling

    /// Runs work on the delegate's queue, after all work that was added before.
    func tell(_ what: @escaping @Sendable (URLSession) -> Void) {
        if state.withLock({ $0.telling.add(what) }) { tellNext() }
    }

    /// As `tell`, or on a global queue if the session is gone: the caller may hold a lock that the work needs.
    func handBack(_ what: @escaping @Sendable () -> Void) {
        if session == nil { return DispatchQueue.global().async(execute: what) }
        tell { _ in what() }
    }

    /// Runs the calls one after the other, also on a queue that runs several at a time.
    private func tellNext() {
        guard let session else { return }
        session.delegateQueue.addOperation { [self] in
            state.withLock { $0.telling.next() }?(session)
            if state.withLock({ $0.telling.hasMore() }) { tellNext() }
        }
    }

    /// All findings of a look were delivered. `launch`: the launch that waited for them when the look began.
    private func finishEvents(_ session: URLSession, of launch: UInt64?) {
        let isWaiting = state.withLock { $0.hasRetry }
        if !isWaiting, launch != nil, SessionEvents.app.owed(identifier) == launch {
            delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: session)
            SessionEvents.app.settle(identifier)
        }
        let isOver = state.withLock { $0.isInvalid && $0.tasks.isEmpty && $0.held != nil }
        if isOver { close() }
    }

    /// The end of a transfer could not be delivered.
    func retry(_ transfer: Transfer) {
        transfer.withState { $0.telling.repeatEnd() }
        lookAgain()
    }

    /// The transfer's end was delivered. `isHeard`: whether the host acknowledged that; nil if the host never knew the transfer.
    func forget(_ transfer: Transfer, isHeard: Bool?) {
        let ordinal = transfer.withState { $0.order.ordinal }
        let isLast = state.withLock { state in
            state.tasks[ordinal] = nil
            if let isHeard { state.over[ordinal] = isHeard }
            return state.isInvalid && state.tasks.isEmpty
        }
        if isLast { lookSoon() }
    }

    // MARK: The session's end

    /// `cancelling`: cancels all tasks; else they go on, and the session ends after the last one.
    func invalidate(cancelling: Bool) {
        let tasks = state.withLock { state in
            state.isInvalid = true
            return Array(state.tasks.values)
        }
        queue.async { [self] in
            if cancelling {
                for task in tasks { task.cancel() }
                // The tasks of an earlier process, too.
                withTasks { for task in $0 { task.cancel() } }
            }
            look()
        }
    }

    private func close() {
        let session = state.withLock { state in
            defer { state.held = nil }
            return state.held
        }
        BackgroundSessions.app.remove(self)
        session?.endInvalidation()
    }
}
