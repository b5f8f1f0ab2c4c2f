import CLullPlugin
import Foundation

/// The worker's functions about notifications, in Swift's types: everything that crosses into C does so here.
///
/// A worker of an older version lacks them: then the app may not notify anyone.
struct NotificationTable: Sendable {
    // Safe: `lull_plugin.h` promises that the table stays at one address, unchanged, until the process ends, and that its
    // functions may be called on any thread; nothing here writes through the pointer.
    nonisolated(unsafe) let table: UnsafePointer<lull_host>

    init(_ table: UnsafePointer<lull_host>) { self.table = table }

    /// Whether the table is long enough to contain the functions.
    private var isThere: Bool {
        guard let offset = MemoryLayout<lull_host>.offset(of: \.set_badge) else { return false }
        let size = UnsafeRawPointer(table).load(as: UInt32.self)
        return Int(size) >= offset + MemoryLayout<UnsafeRawPointer>.size
    }

    var mayNotify: Bool {
        guard isThere, let ask = table.pointee.may_notify else { return false }
        return ask(table)
    }

    func notify(_ record: NotificationRecord) throws {
        guard isThere, let notify = table.pointee.notify else { throw Self.tooOld }
        let (status, reason) = record.withNotification { notification in
            Self.explained { notify(table, notification, $0, $1) }
        }
        try Self.check(status, reason)
    }

    func setBadge(_ count: Int64) throws {
        guard isThere, let set = table.pointee.set_badge else { throw Self.tooOld }
        let (status, reason) = Self.explained { set(table, count, $0, $1) }
        try Self.check(status, reason)
    }

    func remove(_ identifiers: [String]?, delivered: Bool) {
        guard isThere, let remove = table.pointee.remove_notifications else { return }
        guard let identifiers else { return remove(table, delivered, nil, 0) }
        // C ends a text at its first NUL, so no notification has an identifier with one.
        let names = identifiers.filter { !$0.utf8.contains(0) }.map { strdup($0) }
        defer { for name in names { free(name) } }
        var pointers = names.map { $0.map { UnsafePointer<CChar>($0) } }
        guard !pointers.isEmpty else { return }
        remove(table, delivered, &pointers, pointers.count)
    }

    func notifications(delivered: Bool) -> [NotificationRecord] {
        guard isThere, let visit = table.pointee.notifications else { return [] }
        let found = FoundNotifications()
        withExtendedLifetime(found) {
            visit(table, delivered, Unmanaged.passUnretained(found).toOpaque(), lull_swift_visit_notification)
        }
        return found.records
    }

    private static func explained(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> lull_status
    ) -> (lull_status, String) {
        // A reason is a sentence or two; a longer one arrives cut off, never broken.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { reason in
            reason.initialize(repeating: 0)
            guard let start = reason.baseAddress else { return (call(nil, 0), "") }
            let status = call(start, reason.count)
            return (status, String(cString: start))
        }
    }

    private static func check(_ status: lull_status, _ reason: String) throws {
        if status == lull_status(LULL_OK) { return }
        if status == lull_status(LULL_NOT_PERMITTED) { throw UNError(.notificationsNotAllowed, reason) }
        throw LullNotificationError(reason.isEmpty ? "The host refused the notification." : reason)
    }

    private static let tooOld = LullNotificationError(
        "This host's worker knows no notifications. Install a newer version of lull.")
}

/// Collects the notifications that the host's `notifications` visits, on the calling thread.
final class FoundNotifications {
    private(set) var records: [NotificationRecord] = []

    func append(_ notification: UnsafePointer<lull_notification>) {
        records.append(NotificationRecord(notification))
    }
}

/// Adds one notification to the `FoundNotifications` that `context` points to.
@c
func lull_swift_visit_notification(
    _ context: UnsafeMutableRawPointer?, _ notification: UnsafePointer<lull_notification>
) {
    guard let context else { return }
    Unmanaged<FoundNotifications>.fromOpaque(context).takeUnretainedValue().append(notification)
}
