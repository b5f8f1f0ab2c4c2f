import CLullPlugin

// The functions in the fake host's table that version 1.1 of the contract added.

@c func fakeUpdateTitles(
    _ host: UnsafePointer<lull_host>, _ task: lull_task, _ title: UnsafePointer<CChar>,
    _ subtitle: UnsafePointer<CChar>
) {
    let shown = FakeHost.Shown.titles(task, String(cString: title), String(cString: subtitle))
    fake(host).record.withLock { $0.shown.append(shown) }
}

@c func fakeBeginActivity(
    _ host: UnsafePointer<lull_host>, _ name: UnsafePointer<CChar>, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Void)?
) -> UInt64 {
    guard let handler else { return 0 }
    let watch = FakeHost.Watch(context: context, handler: handler)
    let name = String(cString: name)
    return fake(host).record.withLock { record in
        guard !record.hasNoTime else { return 0 }
        record.activityNames.append(name)
        let number = UInt64(record.activityNames.count)
        record.activities[number] = watch
        return number
    }
}

@c func fakeEndActivity(_ host: UnsafePointer<lull_host>, _ number: UInt64) {
    fake(host).record.withLock { record in
        record.activities[number] = nil
        record.endedActivities.append(number)
    }
}

@c func fakeTimeRemaining(_ host: UnsafePointer<lull_host>) -> Int64 {
    fake(host).record.withLock(\.remaining)
}

@c func fakeIsLowPowerMode(_ host: UnsafePointer<lull_host>) -> Bool {
    fake(host).record.withLock(\.isLowPowerMode)
}

@c func fakeSetLowPowerHandler(
    _ host: UnsafePointer<lull_host>, _ context: UnsafeMutableRawPointer?,
    _ handler: (@convention(c) @Sendable (UnsafeMutableRawPointer?, Bool) -> Void)?
) {
    fake(host).record.withLock { $0.powerHandler = handler }
}

/// Unlike a worker's function, it returns from each fault, so that a test can check what comes after.
@c func fakeReportFault(
    _ host: UnsafePointer<lull_host>, _ fault: lull_fault, _ task: lull_task,
    _ subject: UnsafePointer<CChar>, _ place: UnsafePointer<CChar>?, _ earlierPlace: UnsafePointer<CChar>?
) {
    let told = FakeHost.Fault(
        fault: Int(fault), task: task, subject: String(cString: subject),
        place: place.map { String(cString: $0) }, earlierPlace: earlierPlace.map { String(cString: $0) })
    fake(host).record.withLock { $0.faults.append(told) }
}
