import CLullPlugin
import Synchronization

/// A host in the test's own process: the notification functions of a worker's table, and a record of their calls.
final class NotificationHost: Sendable {
    struct Record: Sendable {
        var mayNotify = true
        var status = lull_status(LULL_OK)
        var reason = ""
        var added: [Told] = []
        var removed: [String] = []
        var badge: Int64 = 0
    }

    struct Told: Sendable, Equatable {
        var identifier: String
        var title: String
        var subtitle: String
        var body: String
        var details: String
        var level: lull_notification_level
        var fields: lull_notification_fields
        var trigger: lull_notification_trigger
        var interval: Int64
        var badge: Int64
        var numbers: [Int32]
    }

    let record = Mutex(Record())
    // Safe: written here and nowhere else.
    nonisolated(unsafe) let table: UnsafeMutablePointer<lull_host>

    init(size: Int = MemoryLayout<lull_host>.size) {
        // Never freed, as a worker's table is not. The functions that no test calls are null.
        let raw = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<lull_host>.size, alignment: 8)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<lull_host>.size)
        table = raw.bindMemory(to: lull_host.self, capacity: 1)
        table.pointee.size = UInt32(size)
        table.pointee.may_notify = hostMayNotify
        table.pointee.notify = hostNotify
        table.pointee.notifications = hostNotifications
        table.pointee.remove_notifications = hostRemove
        table.pointee.set_badge = hostSetBadge
        table.pointee.reserved = Unmanaged.passRetained(self).toOpaque()
    }
}

private func own(_ host: UnsafePointer<lull_host>) -> NotificationHost {
    guard let reserved = host.pointee.reserved else { preconditionFailure("the table is not the test's") }
    return Unmanaged<NotificationHost>.fromOpaque(reserved).takeUnretainedValue()
}

@c private func hostMayNotify(_ host: UnsafePointer<lull_host>) -> Bool {
    own(host).record.withLock(\.mayNotify)
}

private func answer(
    _ host: UnsafePointer<lull_host>, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    let (status, reason) = own(host).record.withLock { ($0.status, $0.reason) }
    guard let buffer, capacity > 0 else { return status }
    let bytes = reason.utf8CString.prefix(capacity)
    for (index, byte) in bytes.enumerated() { buffer[index] = byte }
    return status
}

@c private func hostNotify(
    _ host: UnsafePointer<lull_host>, _ notification: UnsafePointer<lull_notification>,
    _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    let value = notification.pointee
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    let told = NotificationHost.Told(
        identifier: String(cString: value.identifier), title: text(value.title),
        subtitle: text(value.subtitle), body: text(value.body), details: text(value.details),
        level: value.level, fields: value.fields, trigger: value.trigger, interval: value.interval_ms,
        badge: value.badge,
        numbers: [value.year, value.month, value.day, value.weekday, value.hour, value.minute, value.second])
    let status = answer(host, reason, capacity)
    if status == lull_status(LULL_OK) { own(host).record.withLock { $0.added.append(told) } }
    return status
}

@c private func hostSetBadge(
    _ host: UnsafePointer<lull_host>, _ count: Int64, _ reason: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> lull_status {
    own(host).record.withLock { $0.badge = count }
    return answer(host, reason, capacity)
}

@c private func hostRemove(
    _ host: UnsafePointer<lull_host>, _ delivered: Bool,
    _ identifiers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) {
    let kind = delivered ? "delivered" : "pending"
    let names = identifiers.map { UnsafeBufferPointer(start: $0, count: count) }?
        .compactMap { $0.map { String(cString: $0) } }
    own(host).record.withLock {
        $0.removed.append("\(kind) \(names?.joined(separator: ",") ?? "all")")
    }
}

/// Returns the added notifications, as delivered at 1 s after 1970.
@c private func hostNotifications(
    _ host: UnsafePointer<lull_host>, _ delivered: Bool, _ context: UnsafeMutableRawPointer?,
    _ visit: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<lull_notification>) -> Void
) {
    for told in own(host).record.withLock(\.added) {
        told.identifier.withCString { identifier in
            told.title.withCString { title in
                told.details.withCString { details in
                    let value = lull_notification(
                        size: UInt32(MemoryLayout<lull_notification>.size), trigger: told.trigger,
                        identifier: identifier, title: title, subtitle: nil, body: nil, details: details,
                        level: told.level, fields: told.fields, badge: told.badge,
                        interval_ms: told.interval, year: told.numbers[0], month: told.numbers[1],
                        day: told.numbers[2], weekday: told.numbers[3], hour: told.numbers[4],
                        minute: told.numbers[5], second: told.numbers[6], reserved: 0,
                        time_unix_ns: delivered ? 1_000_000_000 : 0)
                    withUnsafePointer(to: value) { visit(context, $0) }
                }
            }
        }
    }
}
