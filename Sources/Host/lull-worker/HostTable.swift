import CLullPlugin
import Glibc
import LullModel
import LullWire

/// The table of functions that a plugin is given; on the heap, for the main thread's stack may end before the
/// process.
func makeHostTable(_ session: Session) -> UnsafePointer<lull_host> {
    let table = UnsafeMutablePointer<lull_host>.allocate(capacity: 1)
    table.initialize(
        to: lull_host(
            size: UInt32(MemoryLayout<lull_host>.size), abi_major: UInt16(LULL_ABI_MAJOR),
            abi_minor: UInt16(LULL_ABI_MINOR), reserved: Unmanaged.passRetained(session).toOpaque(),
            version: CText("lull-worker, wire \(Wire.version)").pointer, now: hostNow, log: hostLog,
            register_task: hostRegister, submit: hostSubmit, cancel: hostCancel, pending: hostPending,
            set_expiration_handler: hostSetExpirationHandler, set_task_completed: hostSetTaskCompleted,
            progress: hostProgress, app: session.app.pointer, settings: session.settings.pointer,
            state_dir: session.stateFolder.pointer, setting: hostSetting, log_task: hostLogTask,
            submit_explained: hostSubmitExplained, update_titles: hostUpdateTitles,
            begin_activity: hostBeginActivity, end_activity: hostEndActivity,
            background_time_remaining: hostBackgroundTimeRemaining, is_low_power_mode: hostIsLowPowerMode,
            set_low_power_handler: hostSetLowPowerHandler, report_fault: hostReportFault,
            resources: Resources.offered, reserved_bits: 0, print_task: hostPrintTask,
            report_push: hostReportPush,
            may_notify: hostMayNotify, notify: hostNotify, notifications: hostNotifications,
            remove_notifications: hostRemoveNotifications, set_badge: hostSetBadge,
            transfer: hostTransfer, transfers: hostTransfers, act_on_transfer: hostActOnTransfer,
            answer_challenge: hostAnswerChallenge, set_transfer_handler: hostSetTransferHandler,
            report_exit: hostReportExit))
    if isOfFirstVersion(session) { cutToFirstVersion(table) }
    return UnsafePointer(table)
}

/// Whether the table has to be that of 1.0, as a check of a plugin may ask.
private func isOfFirstVersion(_ session: Session) -> Bool {
    setting("/lull/minor", session) == [UInt8(ascii: "0")]
}

/// A value in the app's settings, such as the host has put there.
func setting(_ pointer: StaticString, _ session: Session) -> [UInt8]? {
    let bytes = UnsafeRawBufferPointer(start: pointer.utf8Start, count: pointer.utf8CodeUnitCount)
    return JSONPointer(bytes)?.value(in: session.settings.bytes)
}

/// Fields after the end of 1.0 get no valid address: that exposes a plugin which does not check the size.
private func cutToFirstVersion(_ table: UnsafeMutablePointer<lull_host>) {
    guard let end = MemoryLayout<lull_host>.offset(of: \.update_titles) else { return }
    table.pointee.size = UInt32(end)
    table.pointee.abi_minor = 0
    let rest = UnsafeMutableRawBufferPointer(start: table, count: MemoryLayout<lull_host>.size)
    for index in end..<rest.count { rest[index] = 0x5a }
}

typealias Host = UnsafePointer<lull_host>

/// Nil in a process that the plugin forked: there a host function does nothing.
func session(
    _ host: Host, run: UInt64 = 0, _ call: String = "called a function of the host, which had no effect"
)
    -> Session?
{
    guard !OwnProcess.isForked else {
        OwnProcess.report(run, call)
        return nil
    }
    return host.pointee.reserved.map { Unmanaged<Session>.fromOpaque($0).takeUnretainedValue() }
}

@c private func hostNow(_: Host) -> Int64 { monotonicNanoseconds() }

@c private func hostLog(_ host: Host, _ level: lull_level, _ message: UnsafePointer<CChar>) {
    hostLogTask(host, 0, level, message)
}

@c private func hostLogTask(
    _ host: Host, _ task: UInt64, _ level: lull_level, _ message: UnsafePointer<CChar>
) {
    let level = LogLevel(rawValue: UInt8(clamping: level)) ?? .critical
    session(host)?.log(task, level, CText.read(message, atMost: Limits.logLineBytes))
}

@c private func hostPrintTask(
    _ host: Host, _ task: UInt64, _ stream: lull_stream, _ bytes: UnsafeRawPointer, _ count: Int
) {
    guard count > 0 else { return }
    session(host)?.print(
        task, stream == lull_stream(LULL_STREAM_ERROR) ? .error : .output,
        UnsafeRawBufferPointer(start: bytes, count: count))
}

@c private func hostReportPush(_ host: Host, _ task: UInt64, _ text: UnsafePointer<CChar>) {
    guard let session = session(host), session.runs.withLock({ $0.task(of: task) }) != nil else { return }
    ControlSocket.send(.reported(run: task, text: CText.read(text, atMost: Limits.reasonBytes)))
}

@c private func hostReportExit(_ host: Host, _ task: UInt64, _ code: UInt32) {
    guard let session = session(host), session.runs.withLock({ $0.task(of: task) }) != nil else { return }
    ControlSocket.send(.exitCode(run: task, code: UInt8(clamping: code)))
}

@c private func hostRegister(_ host: Host, _ identifier: UnsafePointer<CChar>) -> Bool {
    session(host)?.register(CText.read(identifier, atMost: Wire.nameBytes + 1)) ?? false
}

@c private func hostSetExpirationHandler(
    _ host: Host, _ task: UInt64, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Void)?
) {
    let handler = handler.map { ExpirationHandler(function: $0, context: PluginContext(context)) }
    session(host)?.runs.withLock { $0.setHandler(handler, of: task) }
}

@c private func hostSetTaskCompleted(_ host: Host, _ task: UInt64, _ success: Bool) {
    session(host, run: task, "completed a run, which had no effect")?.complete(task, success: success)
}

@c private func hostProgress(
    _ host: Host, _ task: UInt64, _ completed: Int64, _ total: Int64, _ message: UnsafePointer<CChar>?
) {
    let frame = WorkerFrame.progress(
        run: task, completed: completed, total: total,
        message: CText.read(message, atMost: Limits.reasonBytes))
    let now = monotonicNanoseconds()
    if session(host)?.runs.withLock({ $0.progress(of: task, frame, now: now) }) == true {
        ControlSocket.send(frame, mustArrive: false)
    }
}

@c private func hostSetting(
    _ host: Host, _ task: UInt64, _ pointer: UnsafePointer<CChar>, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int64 {
    guard let session = session(host),
        let settings = task == 0 ? session.settings : session.runs.withLock({ $0.task(of: task) })?.settings,
        let path = JSONPointer(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))),
        let value = path.value(in: settings.bytes)
    else { return -1 }
    CText.copy(value, to: buffer, capacity: capacity)
    return Int64(value.count)
}
