import BackgroundTasks
import CLullPlugin

// The table of functions that a worker would hand over. Top-level functions, as C calls them.

/// Never freed: a host's table lives as long as the process, and so does its host.
func makeTable(
    app: String, settings: String, stateDirectory: String, of host: TestHost
) -> UnsafePointer<lull_host> {
    var object = (try? JSONSerialization.jsonObject(with: Data(settings.utf8))) as? [String: Any] ?? [:]
    // A worker passes the permitted tasks the same way.
    object["lull"] = ["permitted": host.tasks.keys.sorted()]
    let text = (try? JSONSerialization.data(withJSONObject: object)).map {
        String(decoding: $0, as: UTF8.self)
    }
    let table = UnsafeMutablePointer<lull_host>.allocate(capacity: 1)
    table.initialize(
        to: lull_host(
            // The table ends after `submit_explained`: the functions after it do not exist.
            size: UInt32((MemoryLayout<lull_host>.offset(of: \.submit_explained) ?? 0) + 8), abi_major: 1,
            abi_minor: 1,
            reserved: Unmanaged.passRetained(host).toOpaque(), version: kept("test"), now: testNow,
            log: testLog, register_task: testRegister, submit: testSubmit, cancel: testCancel,
            pending: testPending, set_expiration_handler: testSetExpirationHandler,
            set_task_completed: testSetTaskCompleted, progress: testProgress, app: kept(app),
            settings: kept(text ?? settings), state_dir: kept(stateDirectory), setting: testSetting,
            log_task: testLogTask, submit_explained: testSubmitExplained, update_titles: nil,
            begin_activity: nil, end_activity: nil, background_time_remaining: nil, is_low_power_mode: nil,
            set_low_power_handler: nil, report_fault: nil, resources: 0, reserved_bits: 0, print_task: nil,
            report_push: nil, may_notify: nil, notify: nil, notifications: nil, remove_notifications: nil,
            set_badge: nil, transfer: nil, transfers: nil, act_on_transfer: nil, answer_challenge: nil,
            set_transfer_handler: nil, report_exit: nil))
    return UnsafePointer(table)
}

private func kept(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    // An allocated buffer has an address.
    return UnsafePointer(copy.baseAddress.unsafelyUnwrapped)
}

private func testHost(_ table: UnsafePointer<lull_host>) -> TestHost {
    // `makeTable` put it there.
    Unmanaged<TestHost>.fromOpaque(table.pointee.reserved.unsafelyUnwrapped).takeUnretainedValue()
}

@c func testNow(_ table: UnsafePointer<lull_host>) -> Int64 {
    let (seconds, attoseconds) = testHost(table).time.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}

@c func testLog(_ table: UnsafePointer<lull_host>, _ level: lull_level, _ message: UnsafePointer<CChar>) {
    let message = String(cString: message)
    testHost(table).state.withLock { $0.messages.append(message) }
}

@c func testLogTask(
    _ table: UnsafePointer<lull_host>, _ task: lull_task, _ level: lull_level, _ message: UnsafePointer<CChar>
) { testLog(table, level, message) }

@c func testRegister(_ table: UnsafePointer<lull_host>, _ identifier: UnsafePointer<CChar>) -> Bool {
    let identifier = String(cString: identifier)
    return testHost(table).tasks[identifier] != nil || testHost(table).kind(of: identifier) != nil
}

@c func testSubmit(
    _ table: UnsafePointer<lull_host>, _ request: UnsafePointer<lull_request>
) -> lull_status { testSubmitExplained(table, request, nil, 0) }

@c func testSubmitExplained(
    _ table: UnsafePointer<lull_host>, _ request: UnsafePointer<lull_request>,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    let wish = TestHost.Request(request.pointee)
    guard let refusal = testHost(table).refusal(of: wish) else { return lull_status(LULL_OK) }
    if let reason, capacity > 0 {
        let bytes = refusal.sentence.utf8.prefix(capacity - 1)
        for (index, byte) in bytes.enumerated() { reason[index] = CChar(bitPattern: byte) }
        reason[bytes.count] = 0
    }
    return lull_status(refusal.code.rawValue)
}

extension TestHost {
    /// Why the request is refused. Nil: it is pending from now on, in place of an earlier one for the same task.
    fileprivate func refusal(of wish: Request) -> (code: BGTaskScheduler.Error.Code, sentence: String)? {
        let kind = kind(of: wish.identifier)
        return state.withLock { state in
            if let refusal = state.refusal { return refusal }
            guard let kind else {
                return (.notPermitted, "The test's host does not permit \(wish.identifier).")
            }
            guard kind == wish.kind || (kind, wish.kind) == (.processing, .refresh) else {
                return (.notPermitted, "The test's host permits \(wish.identifier) in another kind.")
            }
            let others = state.pending.filter { $0.identifier != wish.identifier }
            guard others.count(where: { $0.kind == wish.kind }) < (wish.kind == .refresh ? 1 : 10) else {
                return (
                    .tooManyPendingTaskRequests, "Too many requests of the kind of \(wish.identifier) wait."
                )
            }
            state.pending = others + [wish]
            return nil
        }
    }
}

extension TestHost.Request {
    fileprivate init(_ request: lull_request) {
        identifier = String(cString: request.identifier)
        kind = TestHost.Kind(request.kind)
        let begin = request.earliest_begin_unix_ns
        earliestBeginDate = begin == 0 ? nil : Date(timeIntervalSince1970: Double(begin) / 1e9)
        requiresNetworkConnectivity = request.requirements & lull_requirements(LULL_REQUIRES_NETWORK) != 0
        requiresExternalPower = request.requirements & lull_requirements(LULL_REQUIRES_EXTERNAL_POWER) != 0
    }
}

@c func testCancel(_ table: UnsafePointer<lull_host>, _ identifier: UnsafePointer<CChar>?) {
    let identifier = identifier.map { String(cString: $0) }
    testHost(table).state.withLock { state in
        state.pending.removeAll { identifier == nil || $0.identifier == identifier }
    }
}

@c func testPending(
    _ table: UnsafePointer<lull_host>, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_request>) -> Void
) {
    for pending in testHost(table).pending {
        pending.identifier.withCString { identifier in
            var requirements: lull_requirements = 0
            if pending.requiresNetworkConnectivity {
                requirements |= lull_requirements(LULL_REQUIRES_NETWORK)
            }
            if pending.requiresExternalPower {
                requirements |= lull_requirements(LULL_REQUIRES_EXTERNAL_POWER)
            }
            let begin = pending.earliestBeginDate.map { Int64($0.timeIntervalSince1970 * 1e9) } ?? 0
            var request = lull_request(
                size: UInt32(MemoryLayout<lull_request>.size), kind: pending.kind.number,
                identifier: identifier, earliest_begin_unix_ns: begin, requirements: requirements,
                reserved: 0,
                title: nil, subtitle: nil, strategy: 0, resources: 0, protection: nil)
            visit(context, &request)
        }
    }
}

@c func testSetExpirationHandler(
    _ table: UnsafePointer<lull_host>, _ task: lull_task, _ context: UnsafeMutableRawPointer?,
    _ handler: (@Sendable @convention(c) (UnsafeMutableRawPointer?, lull_task) -> Void)?
) {
    let watch = handler.map { TestHost.Watch(context: context, handler: $0) }
    testHost(table).state.withLock { $0.watched[task] = watch }
}

@c func testSetTaskCompleted(_ table: UnsafePointer<lull_host>, _ task: lull_task, _ success: Bool) {
    testHost(table).state.withLock { $0.runs[task] }?.complete(success: success)
}

@c func testProgress(
    _ table: UnsafePointer<lull_host>, _ task: lull_task, _ completed: Int64, _ total: Int64,
    _ message: UnsafePointer<CChar>?
) {}

@c func testSetting(
    _ table: UnsafePointer<lull_host>, _ task: lull_task, _ pointer: UnsafePointer<CChar>,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int64 { -1 }
