import Dispatch

// The overloads that calls resolve to: they record their place in the source for the history. On a subclass they call Apple's
// method, which it may override.
extension BGTaskScheduler {
    /// Sets the handler of one task.
    ///
    /// False, with a line in the log, when `jobs.yaml` does not permit the identifier to this app, or when the
    /// app has finished launching; continued tasks may be registered at any time, and with an identifier that
    /// ends in `.*`. A second handler for an identifier ends the app, as on iOS: here its worker, with both
    /// places in the history.
    ///
    /// The handler runs on `queue`, or, when that is nil, on a serial queue of the run's own. In the Swift 6 mode a
    /// handler written in an actor's code (`didFinishLaunching` is the main actor's) belongs to that actor: it runs
    /// there, where iOS would trap, and the log says so with its place.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.register(forTaskWithIdentifier:using:launchHandler:)`.
    /// - Parameters:
    ///   - identifier: One that `jobs.yaml` permits, in full.
    ///   - queue: Where the handler is called; `.main` is served.
    ///   - launchHandler: Begins the work of a run, and sees to it that the task is completed.
    ///   - file: Where it is registered, for the history; leave it out.
    ///   - line: As `file`.
    /// - Returns: Whether the handler will be called.
    @available(swift 6) @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping @isolated(any) (sending BGTask) -> Void,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        let handler = LaunchHandler(queue: queue, place: place(file, line), body: launchHandler)
        return isStandIn
            ? registerWithoutPlace(identifier, queue) { handler.call($0) }
            : registry.register(identifier, handler)
    }

    /// As ``register(forTaskWithIdentifier:using:launchHandler:file:line:)``, for code in the Swift 5 mode: the handler runs
    /// on its queue, whatever actor's code it is written in, as on iOS.
    ///
    /// The last parameter is never given: by it the compiler tells the two forms apart.
    @available(swift, obsoleted: 6) @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ swift5: Void = ()
    ) -> Bool {
        if isStandIn { return registerWithoutPlace(identifier, queue, launchHandler) }
        return registry.register(
            identifier, LaunchHandler(queue: queue, place: place(file, line), body: launchHandler))
    }

    /// Apple's own method, which a subclass may have overridden.
    private var registerWithoutPlace: (String, DispatchQueue?, @escaping (BGTask) -> Void) -> Bool {
        register(forTaskWithIdentifier:using:launchHandler:)
    }

    /// Asks for a launch. Replaces the pending request for the same identifier.
    ///
    /// Blocks until the host has recorded the request, a second at most; then it survives anything. A request for a
    /// permitted task without a handler ends the app, as on iOS: here its worker, with the place in the
    /// history.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.submit(_:)`, which iOS 27 deprecates in favour of
    /// `submitTaskRequest(_:)`; here the two can fail for the same reasons.
    /// - Throws: ``Error``, whose `localizedDescription` says what to do about it.
    public func submit(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        guard isStandIn else {
            return try registry.submit(RequestContent(taskRequest), from: place(file, line))
        }
        let submit: (BGTaskRequest) throws -> Void = submit(_:)
        try submit(taskRequest)
    }

    /// As ``submit(_:file:line:)``, without waiting.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.submitTaskRequest(_:completionHandler:)` (iOS 27).
    /// - Parameters:
    ///   - taskRequest: It is copied at once; it may be changed afterwards.
    ///   - completionHandler: Called on a queue of the scheduler's own; with nil when the host has recorded it.
    ///   - file: Where it is submitted, for the history; leave it out.
    ///   - line: As `file`.
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line,
        completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        guard isStandIn else {
            return submit(RequestContent(taskRequest), from: place(file, line), completionHandler)
        }
        let submit: (BGTaskRequest, @escaping @Sendable ((any Swift.Error)?) -> Void) -> Void =
            submitTaskRequest(_:completionHandler:)
        submit(taskRequest, completionHandler)
    }

    /// As ``submit(_:file:line:)``, and returns when the host has recorded the request.
    ///
    /// Apple: BackgroundTasks, the async form of `submitTaskRequest(_:completionHandler:)` (iOS 27).
    nonisolated(nonsending) public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        guard isStandIn else { return try await submit(RequestContent(taskRequest), from: place(file, line)) }
        let submit: nonisolated(nonsending) (BGTaskRequest) async throws -> Void = submitTaskRequest(_:)
        try await submit(taskRequest)
    }

    /// Takes the request's content as a copy, so that the app may change or submit the request again at once.
    func submit(
        _ content: RequestContent, from place: String?,
        _ completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        enqueue { [registry] in
            do {
                try registry.submit(content, from: place)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    nonisolated(nonsending) func submit(_ content: RequestContent, from place: String?) async throws {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { [registry] in
                continuation.resume(with: Result { try registry.submit(content, from: place) })
            }
        }
    }
}
