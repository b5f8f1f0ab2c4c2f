import BackgroundTasks
import Dispatch
import Synchronization

/// Tells an app by which links it reaches a network, and when that changes.
///
/// It reads the kernel's routes in the worker itself. An app that is suspended between its runs receives the changes when it
/// runs again. `network` in `jobs.yaml` and `requiresNetworkConnectivity` of a request decide whether a task is launched
/// without a network.
///
/// Apple: Network, `NWPathMonitor`.
public final class NWPathMonitor: Sendable {
    /// The source of paths; a test has its own.
    struct Source: Sendable {
        var path: @Sendable () -> NWPath
        /// Nil if changes can't be watched.
        var watch: @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> (any DispatchSourceProtocol)?

        static func machine(without refused: Set<NWInterface.InterfaceType>) -> Source {
            Source {
                NWPath(
                    routes: DefaultRoutes(), mayConnect: DefaultRoutes.mayConnect, refused: refused)
            } watch: { queue, changed in
                RouteWatch.start(on: queue, changed: changed)
            }
        }
    }

    private struct State {
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        // Sources may be cancelled on any thread.
        nonisolated(unsafe) var watch: (any DispatchSourceProtocol)?
        var isCancelled = false
        var last: NWPath?
        var streams: [Int: AsyncStream<NWPath>.Continuation] = [:]
        var number = 0
    }

    private let source: Source
    private let state = Mutex(State())

    init(source: Source) { self.source = source }

    /// A monitor of all links.
    public convenience init() { self.init(source: .machine(without: [])) }

    /// A monitor of links of one kind.
    public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
        let others = Set(NWInterface.InterfaceType.allCases).subtracting([requiredInterfaceType])
        self.init(source: .machine(without: others))
    }

    /// A monitor of links of all kinds but these.
    public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        self.init(source: .machine(without: Set(prohibitedInterfaceTypes)))
    }

    deinit { end() }

    /// The last path that was reported; before the first report, the current one.
    public var currentPath: NWPath { state.withLock(\.last) ?? source.path() }

    /// Called on the queue: soon after the start, and after each change.
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { state.withLock(\.handler) }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Where the handler is called.
    public var queue: DispatchQueue? { state.withLock(\.queue) }

    /// Begins to watch; only the first call counts.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.queue == nil, !state.isCancelled else { return false }
            state.queue = queue
            return true
        }
        guard isFirst else { return }
        let changed: @Sendable () -> Void = { [weak self] in self?.tell() }
        let watch = source.watch(queue, changed)
        if watch == nil {
            LullApp.log(
                "NWPathMonitor reports no changes: the app may not listen to the kernel.", level: .notice)
        }
        let isLate = state.withLock { state in
            state.watch = watch
            return state.isCancelled
        }
        if isLate { watch?.cancel() }
        queue.async(execute: changed)
    }

    /// Stops for good.
    public func cancel() { end() }

    private func end() {
        let (watch, streams) = state.withLock { state in
            state.isCancelled = true
            defer {
                state.watch = nil
                state.streams = [:]
            }
            return (state.watch, Array(state.streams.values))
        }
        watch?.cancel()
        for stream in streams { stream.finish() }
    }

    /// Reports the path if it has changed.
    private func tell() {
        let path = source.path()
        typealias Told = (handler: (@Sendable (NWPath) -> Void)?, streams: [AsyncStream<NWPath>.Continuation])
        let told: Told? = state.withLock { state in
            guard !state.isCancelled, state.last != path else { return nil }
            state.last = path
            return (state.handler, Array(state.streams.values))
        }
        told?.handler?(path)
        for stream in told?.streams ?? [] { stream.yield(path) }
    }
}

extension NWPathMonitor: AsyncSequence {
    public typealias Element = NWPath

    /// Gives the current path, and each new one, until the monitor is cancelled.
    ///
    /// Apple: Network, `NWPathMonitor.Iterator`.
    public struct Iterator: AsyncIteratorProtocol {
        // Keeps the monitor alive while somebody waits for paths.
        let monitor: NWPathMonitor
        var paths: AsyncStream<NWPath>.Iterator

        public mutating func next() async -> NWPath? { await paths.next() }
    }

    /// Starts the monitor, if it has not been started.
    public func makeAsyncIterator() -> Iterator {
        let (paths, continuation) = AsyncStream.makeStream(of: NWPath.self)
        let (known, isOver) = state.withLock { state in
            state.number += 1
            let number = state.number
            if !state.isCancelled { state.streams[number] = continuation }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
            return (state.last, state.isCancelled)
        }
        if let known { continuation.yield(known) }
        if isOver { continuation.finish() }
        start(queue: DispatchQueue(label: "lull (NWPathMonitor)"))
        return Iterator(monitor: self, paths: paths.makeAsyncIterator())
    }
}
