/// An action for the host that follows from a frame; a list of them is carried out in order.
public enum SessionDeed: Sendable, Equatable {
    case say(WorkerEvent)
    /// Sends a frame to the worker; a suspended worker is resumed for it.
    case send(HostFrame)
    /// Sends the frames that waited for the plugin (`WorkerSession.takeWaiting`).
    case sendWaiting
    /// Closes the socket: later frames on it mean nothing.
    case closeSocket
    case kill(reason: String)
    /// Reads the output that the worker has printed until now, before the next action.
    case readOutput
    /// The worker holds the run's output: the host gives it a new credit in a moment.
    case letPrint(UInt64)
    /// From now on only activities keep the app awake.
    case rest
    case watchActivities
    /// The last activity has ended.
    case forgetActivities
}
