/// What a host is to do because of a frame, one after the other.
public enum SessionDeed: Sendable, Equatable {
    case say(WorkerEvent)
    /// Tells the worker; one that is stopped is let on for it.
    case send(HostFrame)
    /// Sends what waited for the plugin (`WorkerSession.takeWaiting`).
    case sendWaiting
    /// What comes on the socket after this means nothing.
    case closeSocket
    case kill(reason: String)
    /// What the worker has printed until now comes before what follows.
    case readOutput
    /// The run's worker holds what it prints: it is let print on in a moment.
    case letPrint(UInt64)
    /// Nothing but its activities keeps the app awake from now on.
    case rest
    case watchActivities
    /// The last activity has ended.
    case forgetActivities
}
