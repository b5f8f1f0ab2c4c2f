import Dispatch

// Apple's exact signatures. A call picks the forms that know where they are called from; these are for code
// that has the scheduler conform to a protocol of its own, to put a stand-in in its place in tests.
extension BGTaskScheduler {
    /// As ``register(forTaskWithIdentifier:using:launchHandler:file:line:)``.
    @_disfavoredOverload @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        registry.register(identifier, LaunchHandler(queue: queue, place: nil, body: launchHandler))
    }

    /// As ``submit(_:file:line:)``.
    @_disfavoredOverload
    public func submit(_ taskRequest: BGTaskRequest) throws {
        try registry.submit(RequestContent(taskRequest), from: nil)
    }

    /// As ``submitTaskRequest(_:file:line:completionHandler:)``.
    @_disfavoredOverload
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        submitTaskRequest(taskRequest, file: "", line: 0, completionHandler: completionHandler)
    }

    /// As ``submitTaskRequest(_:file:line:)``.
    @_disfavoredOverload
    nonisolated(nonsending) public func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
        try await submitTaskRequest(taskRequest, file: "", line: 0)
    }
}
