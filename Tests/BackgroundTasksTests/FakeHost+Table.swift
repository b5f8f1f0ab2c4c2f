import CLullPlugin

@testable import BackgroundTasks

// The functions of the fake host's table.

func fake(_ host: UnsafePointer<lull_host>) -> FakeHost {
    guard let reserved = host.pointee.reserved else {
        preconditionFailure("the table is not the fake host's")
    }
    return Unmanaged<FakeHost>.fromOpaque(reserved).takeUnretainedValue()
}

@c func fakeNow(_ host: UnsafePointer<lull_host>) -> Int64 { 0 }

@c func fakeLog(_ host: UnsafePointer<lull_host>, _ level: lull_level, _ message: UnsafePointer<CChar>) {
    let line = FakeHost.Line(level: level, task: nil, message: String(cString: message))
    fake(host).record.withLock { $0.lines.append(line) }
}

@c func fakePrintTask(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ stream: lull_stream, _ bytes: UnsafeRawPointer,
    _ count: Int
) {
    let printed = FakeHost.Printed(
        task: task, stream: Int(stream),
        bytes: [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
    fake(host).record.withLock { $0.printed.append(printed) }
}

@c func fakeLogTask(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ level: lull_level, _ message: UnsafePointer<CChar>
) {
    let line = FakeHost.Line(level: level, task: task, message: String(cString: message))
    fake(host).record.withLock { $0.lines.append(line) }
}

@c func fakeRegister(_ host: UnsafePointer<lull_host>, _ identifier: UnsafePointer<CChar>) -> Bool {
    let identifier = String(cString: identifier)
    return fake(host).record.withLock { record in
        let isOpen = !record.hasStarted && record.permitted.contains(identifier)
        guard isOpen || record.continued.contains(identifier) else { return false }
        record.registered.append(identifier)
        return true
    }
}

@c func fakeSubmit(_ host: UnsafePointer<lull_host>, _ request: UnsafePointer<lull_request>) -> lull_status {
    let copy = FakeHost.Request(
        kind: request.pointee.kind,
        identifier: String(cString: request.pointee.identifier),
        earliestBegin: request.pointee.earliest_begin_unix_ns,
        requirements: request.pointee.requirements,
        title: request.pointee.title.map { String(cString: $0) },
        subtitle: request.pointee.subtitle.map { String(cString: $0) },
        strategy: request.pointee.strategy, resources: request.pointee.resources,
        protection: request.pointee.protection.map { String(cString: $0) }
    )
    return fake(host).record.withLock { record in
        if record.verdict == lull_status(LULL_OK) { record.submitted.append(copy) }
        return record.verdict
    }
}

@c func fakeSubmitExplained(
    _ host: UnsafePointer<lull_host>, _ request: UnsafePointer<lull_request>,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    let status = fakeSubmit(host, request)
    guard let reason, capacity > 0 else { return status }
    let sentence = fake(host).record.withLock(\.reason).utf8.prefix(capacity - 1)
    for (index, byte) in sentence.enumerated() { reason[index] = CChar(bitPattern: byte) }
    reason[sentence.count] = 0
    return status
}

@c func fakeCancel(_ host: UnsafePointer<lull_host>, _ identifier: UnsafePointer<CChar>?) {
    let identifier = identifier.map { String(cString: $0) }
    fake(host).record.withLock { $0.cancelled.append(identifier) }
}

@c func fakePending(
    _ host: UnsafePointer<lull_host>, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_request>) -> Void
) {
    for request in fake(host).submitted {
        var content = RequestContent(BGAppRefreshTaskRequest(identifier: request.identifier))
        content.kind = request.kind
        content.earliestBegin = request.earliestBegin
        content.requirements = request.requirements
        content.title = request.title
        content.subtitle = request.subtitle
        content.strategy = request.strategy
        content.resources = request.resources
        content.protection = request.protection
        content.withRequest { visit(context, $0) }
    }
}

@c func fakeSetExpirationHandler(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ context: UnsafeMutableRawPointer?,
    _ handler: (@Sendable @convention(c) (UnsafeMutableRawPointer?, lull_task) -> Void)?
) {
    let watch = handler.map { FakeHost.Watch(context: context, handler: $0) }
    fake(host).record.withLock { $0.watched[task] = watch }
}

@c func fakeSetTaskCompleted(_ host: UnsafePointer<lull_host>, _ task: lull_task, _ success: Bool) {
    let completion = FakeHost.Completion(task: task, success: success)
    let host = fake(host)
    host.record.withLock { $0.completed.append(completion) }
    host.completion.yield(completion)
}

@c func fakeProgress(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ completed: Int64, _ total: Int64,
    _ message: UnsafePointer<CChar>?
) {
    fake(host).record.withLock { $0.shown.append(.progress(task, completed, total)) }
}

@c func fakeSetting(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ pointer: UnsafePointer<CChar>,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int64 { -1 }
