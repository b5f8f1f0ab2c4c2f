import LullCalendar
public import LullModel

/// A notification that waits for its time.
public struct PendingNotification: Sendable, Equatable, Codable {
    public let notification: AppNotification
    /// When it was added; if it repeats, the last time up to which it has been delivered.
    public internal(set) var from: WallTime

    public var identifier: String { notification.identifier }

    /// When it is due; nil: never. It follows the zone, which may change while it waits.
    public func due(in zone: Zone) -> WallTime? {
        switch notification.trigger {
        case nil: from
        case .interval(let milliseconds, _)?:
            // Limited, so that the sum of two times is a time.
            from + .milliseconds(min(milliseconds, WallTime.distantFuture.milliseconds))
        case .calendar(let fields, _)?: fields.next(after: from, in: zone)
        }
    }

    /// A repeating notification was delivered: once for all times that were missed.
    mutating func delivered(at time: WallTime, due: WallTime) {
        guard case .interval(let milliseconds, _)? = notification.trigger, milliseconds > 0, time > due else {
            from = max(time, due)
            return
        }
        // The interval keeps its beat, however late the delivery.
        let missed = (time.milliseconds - due.milliseconds) / milliseconds
        from = WallTime(milliseconds: due.milliseconds + missed * milliseconds)
    }
}
