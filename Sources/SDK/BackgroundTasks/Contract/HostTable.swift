import CLullPlugin
import Foundation

/// The worker's table of functions, in Swift's types.
///
/// All calls of the worker's functions are here: strings are copied both ways, and the nearest function stands in for one
/// that an older worker lacks.
struct HostTable: Sendable {
    // Safe: `lull_plugin.h` promises that the table stays at one address, unchanged, until the process ends, and that its
    // functions may be called on any thread; nothing here writes through the pointer.
    nonisolated(unsafe) let table: UnsafePointer<lull_host>

    init(_ table: UnsafePointer<lull_host>) {
        self.table = table
    }

    var app: String { table.has(\.app) ? String(cString: table.pointee.app) : "" }
    var settings: String { table.has(\.settings) ? String(cString: table.pointee.settings) : "{}" }
    var permittedTasks: [String] { LullApp.permittedTasks(in: settings) }
    var stateDirectory: String? {
        table.has(\.state_dir) ? String(cString: table.pointee.state_dir) : nil
    }

    func log(_ message: String, level: LullLogLevel) {
        table.pointee.log(table, level.rawValue, message.withoutNul)
    }

    func log(_ message: String, level: LullLogLevel, task: lull_task, identifier: String) {
        guard table.has(\.log_task) else { return log("\(identifier): \(message)", level: level) }
        table.pointee.log_task(table, task, level.rawValue, message.withoutNul)
    }

    func register(_ identifier: String) -> Bool {
        table.pointee.register_task(table, identifier)
    }

    /// The host's verdict and, unless it is `LULL_OK`, its sentence; empty when the host gives none.
    func submit(_ content: RequestContent) -> (status: lull_status, reason: String) {
        content.withRequest { request in
            guard table.has(\.submit_explained) else { return (table.pointee.submit(table, request), "") }
            // A reason is a sentence or two; a longer one arrives cut off, never broken.
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { reason in
                reason.initialize(repeating: 0)
                guard let start = reason.baseAddress else {
                    return (table.pointee.submit(table, request), "")
                }
                let status = table.pointee.submit_explained(table, request, start, reason.count)
                return (status, String(cString: start))
            }
        }
    }

    /// Cancels the request for `identifier`, or all of them when it is nil.
    func cancel(_ identifier: String?) {
        guard let identifier else { return table.pointee.cancel(table, nil) }
        table.pointee.cancel(table, identifier)
    }

    func pendingRequests() -> [RequestContent] {
        let found = PendingRequests()
        withExtendedLifetime(found) {
            table.pointee.pending(table, Unmanaged.passUnretained(found).toOpaque(), lull_swift_visit)
        }
        return found.contents
    }

    /// Has `lull_swift_expire` called for the task. The registry has to outlive it.
    func watchExpiration(of task: lull_task, for registry: Registry) {
        let context = Unmanaged.passUnretained(registry).toOpaque()
        table.pointee.set_expiration_handler(table, task, context, lull_swift_expire)
    }

    func complete(_ task: lull_task, success: Bool) {
        table.pointee.set_task_completed(table, task, success)
    }
}

extension String {
    /// Replaces each NUL: C ends a string at its first one, and the rest would be lost without notice.
    var withoutNul: String {
        utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self
    }

    /// Whether the string contains a NUL, at which C would end it.
    var holdsNul: Bool { utf8.contains(0) }
}
