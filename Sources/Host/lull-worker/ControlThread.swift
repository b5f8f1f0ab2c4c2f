import CLullPlugin
import CLullShims
import Glibc
import LullWire

typealias LaunchFunction = @convention(c) (UnsafePointer<lull_launch>) -> Void

/// Launches and expires, one call at a time, as the host says.
final class ControlThread {
    private let session: Session
    private let plugin: String
    private let launch: LaunchFunction
    /// The call into the plugin that is under way on this thread, which alone touches this.
    private var call = (run: UInt64(0), name: "")

    init(session: Session, plugin: String, launch: @escaping LaunchFunction) {
        self.session = session
        self.plugin = plugin
        self.launch = launch
    }

    /// Runs until the process ends.
    func start() {
        var thread = pthread_t()
        let own = Unmanaged.passRetained(self).toOpaque()
        let fault = pthread_create(&thread, nil, controlThreadMain, own)
        guard fault == 0 else {
            // All processes of a user count, also those of other apps and of people.
            refuse(
                .room,
                "The worker can't make a thread: \(String(cString: strerror(fault))). Its user has as many processes as it may: "
                    + "`ps -L -u \(getuid())` lists them. Lull tries again; end some of them, or raise `limits: { processes }`."
            )
        }
    }

    fileprivate func run() -> Never {
        session.inbox.becomeThread()
        // A call into the plugin may end this thread; then nothing is launched or expired any more.
        var key = pthread_key_t()
        if pthread_key_create(&key, controlThreadEnded) == 0 {
            pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
        }
        while true {
            switch session.inbox.next(session) {
            case .launch(let run, let kind, let identifier, let deadline, let label, let origin, let push):
                begin(run, kind, identifier, deadline, label, origin, push)
            case .expire(let run, _):
                expire(run)
            case .printOn(let run): session.printOn(run)
            case .expireActivities:
                call = (0, "expiration handler of an activity")
                session.activities.expire()
            case .powerMode(let isLow):
                call = (0, "handler of power mode")
                session.power.change(to: isLow)
            case .terminate:
                lull_flush_output()
                session.releaseOutput()
                _exit(0)
            case .welcome, .confine, .place, .settings, .permit:
                refuse(
                    .wire, "The host introduced itself twice. Install lull and lull-worker of one version.")
            case .transferNews(let name):
                call = (0, "handler of transfers")
                session.transferWatch.tell(of: name)
            case .submitReply, .cancelReply, .pendingReply, .notificationsReply, .transferReply,
                .transfersReply:
                break  // Answers never come out of the inbox.
            }
        }
    }

    private func begin(
        _ run: UInt64, _ kind: WireKind, _ identifier: String, _ deadline: Int64, _ label: WireLabel,
        _ origin: String, _ push: WirePush?
    ) {
        guard let task = session.permit(for: identifier), session.handles(identifier) else {
            session.log(run, .error, "The plugin has registered no handler for \(identifier).")
            ControlSocket.send(.completed(run: run, success: false))
            return
        }
        session.begin(run, task)
        call = (run, "launch of \(identifier)")
        let began = monotonicNanoseconds()
        identifier.withCString { name in
            label.withCStrings(and: origin) { title, subtitle, protection, origin in
                (push?.payload ?? "").withCString { payload in
                    let launched = lull_launch(
                        size: UInt32(MemoryLayout<lull_launch>.size), kind: lull_kind(kind.rawValue),
                        task: run, identifier: name, deadline_ns: deadline == 0 ? .max : deadline,
                        settings: task.settings.pointer, title: title, subtitle: subtitle,
                        protection: protection, origin: origin, payload: push == nil ? nil : payload,
                        payload_size: UInt64(push?.payload.utf8.count ?? 0), merged: push?.merged ?? 0,
                        is_urgent: push?.isUrgent ?? false)
                    withUnsafePointer(to: launched) { launch($0) }
                }
            }
        }
        OwnProcess.endIfForked(run, call.name)
        // For a run that is over the host need not know that its launch has returned.
        if session.runs.withLock({ $0.task(of: run) }) != nil {
            ControlSocket.send(.launchReturned(run: run))
        }
        warnIfSlow(call.name, since: began, run)
    }

    private func expire(_ run: UInt64) {
        switch session.runs.withLock({ $0.expire(run) }) {
        case .call(let handler):
            call = (run, "expiration handler")
            let began = monotonicNanoseconds()
            handler.function(handler.context.pointer, run)
            OwnProcess.endIfForked(run, call.name)
            warnIfSlow(call.name, since: began, run)
        case .completeFailed:
            session.log(run, .notice, "Expired, but no expiration handler is set: the run ends as failed.")
            session.complete(run, success: false)
        case .nothing: break
        }
    }

    fileprivate func ended() {
        guard !OwnProcess.isForked else { return }
        session.violateAndEnd(
            call.run, "",
            "Its \(call.name) ended the thread that had called it, with pthread_exit or pthread_cancel. Return from it instead."
        )
    }

    /// While the plugin holds the control thread nothing else of the app is launched or expired.
    private func warnIfSlow(_ what: @autoclosure () -> String, since began: Int64, _ run: UInt64) {
        let milliseconds = (monotonicNanoseconds() - began) / 1_000_000
        guard milliseconds >= 100 else { return }
        session.log(
            run, .warning,
            "The \(what()) of '\(plugin)' took \(milliseconds) ms. Return at once, and work on another thread."
        )
    }
}

@c private func controlThreadEnded(_ own: UnsafeMutableRawPointer?) {
    if let own { Unmanaged<ControlThread>.fromOpaque(own).takeUnretainedValue().ended() }
}

@c private func controlThreadMain(_ own: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let own else { return nil }
    Unmanaged<ControlThread>.fromOpaque(own).takeUnretainedValue().run()
}
