/// The notifications of a plugin; each is answered as a submit is.
extension WorkerSession {
    mutating func takeNotification(
        _ sequence: UInt64, _ notification: WireNotification, _ count: inout UInt64
    ) -> [SessionDeed] {
        guard let meant = notification.notification else {
            return refuse(
                sequence, .unavailable,
                "The notification '\(notification.identifier)' has a date that does not exist. "
                    + "Give it a year, month, day, weekday, hour, minute or second that exists.")
        }
        return ask(sequence, &count) { .notify($0, sequence: sequence, meant) }
    }

    /// Reports an event that the host answers like a submit, under a new number.
    mutating func ask(
        _ sequence: UInt64, _ count: inout UInt64, _ event: (SubmitID) -> WorkerEvent
    ) -> [SessionDeed] {
        guard submits[sequence] == nil else {
            return violate(nil, "It used the number of a submit twice.", isFatal: true)
        }
        guard submits.count < Self.openSubmits else {
            return refuse(
                sequence, .unavailable,
                "\(Self.openSubmits) submits of \(app) have no answer yet. Ask for less at once.")
        }
        count += 1
        let id = SubmitID(count)
        submits[sequence] = id
        return [.say(event(id))]
    }

    /// The app's notifications, in as many parts as they need.
    public func answerNotifications(_ sequence: UInt64, _ notifications: [WireNotification]) -> [HostFrame] {
        guard isListenedTo else { return [] }
        var frames: [HostFrame] = []
        var sent = 0
        repeat {
            let part = Array(notifications[sent...].prefix(HostFrame.notificationsInPart))
            sent += part.count
            frames.append(
                .notificationsReply(sequence: sequence, part, isLast: sent == notifications.count))
        } while sent < notifications.count
        return frames
    }
}
