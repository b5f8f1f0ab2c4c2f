import CLullPlugin
import LullModel
import LullWire

// The host functions about activities, low power mode and titles.

@c func hostBeginActivity(
    _ host: Host, _ name: UnsafePointer<CChar>, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Void)?
) -> UInt64 {
    guard let session = session(host) else { return 0 }
    let name = CText.read(name, atMost: Wire.nameBytes)
    let handler = handler.map { Activities.Handler(function: $0, context: PluginContext(context)) }
    switch session.activities.begin(handler, now: monotonicNanoseconds()) {
    case .begun(let activity):
        ControlSocket.send(.activityBegan(activity: activity, name: name))
        return activity
    case .timeIsUp:
        session.log(0, .notice, "The activity '\(name)' was not begun: the app's time is up.")
    case .tooMany:
        session.violate(
            0, "",
            "It began the activity '\(name)' while \(Limits.activities) were open. End each activity once.")
    }
    return 0
}

@c func hostEndActivity(_ host: Host, _ activity: UInt64) {
    // 0 names none: a plugin that could not begin one may end it all the same.
    guard activity != 0, let session = session(host) else { return }
    if session.activities.end(activity) {
        ControlSocket.send(.activityEnded(activity: activity))
    } else {
        session.violate(
            0, "", "It ended activity \(activity), which is not open. End each activity once.")
    }
}

@c func hostBackgroundTimeRemaining(_ host: Host) -> Int64 {
    session(host)?.activities.remaining(now: monotonicNanoseconds()) ?? .max
}

@c func hostIsLowPowerMode(_ host: Host) -> Bool { session(host)?.power.isLow ?? false }

@c func hostSetLowPowerHandler(
    _ host: Host, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, Bool) -> Void)?
) {
    session(host)?.power.setHandler(
        handler.map { PowerMode.Handler(function: $0, context: PluginContext(context)) })
}

@c func hostUpdateTitles(
    _ host: Host, _ task: UInt64, _ title: UnsafePointer<CChar>, _ subtitle: UnsafePointer<CChar>
) {
    guard let session = session(host), session.runs.withLock({ $0.task(of: task) }) != nil else { return }
    ControlSocket.send(
        .titles(
            run: task, title: CText.read(title, atMost: Limits.titleBytes),
            subtitle: CText.read(subtitle, atMost: Limits.titleBytes)))
}
