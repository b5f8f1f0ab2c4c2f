import CLullPlugin
import LullModel

/// A mistake in the plugin's code, as the plugin's SDK reports it.
struct CodeFault {
    let kind: lull_fault
    let run: UInt64
    let subject: String
    let place: String
    let earlierPlace: String

    /// Whether iOS would end the app.
    var endsWorker: Bool {
        kind == lull_fault(LULL_FAULT_REGISTERED_TWICE) || kind == lull_fault(LULL_FAULT_NOT_REGISTERED)
    }

    /// The subject, if it is a task's identifier; else empty.
    var identifier: String { TaskIdentifier(subject) == nil ? "" : subject }

    var sentence: String {
        let here = place.isEmpty ? "" : " at \(place)"
        switch kind {
        case lull_fault(LULL_FAULT_REGISTERED_TWICE):
            let first = earlierPlace.isEmpty ? "" : "; the first is at \(earlierPlace)"
            return
                "It registered a second handler for \(subject)\(here)\(first). Register each identifier once."
        case lull_fault(LULL_FAULT_NOT_REGISTERED):
            let what = run == 0 ? "It submitted \(subject)\(here)" : "\(subject) was launched"
            return "\(what), but no handler is registered for it. "
                + "Register one before the plugin's start returns."
        case lull_fault(LULL_FAULT_REGISTERED_LATE):
            return
                "It registered a handler for \(subject)\(here) after the app had finished launching. "
                + "Register it before; only continued tasks may be registered later."
        case lull_fault(LULL_FAULT_TASK_DROPPED):
            let since = earlierPlace.isEmpty ? "" : ", registered at \(earlierPlace),"
            return
                "It let go of a task of \(subject)\(since) without completing it. "
                + "Keep the task until setTaskCompleted has been called."
        case lull_fault(LULL_FAULT_ACTIVITY_UNKNOWN):
            return "It ended the activity \(subject)\(here), which is not open. End each activity once."
        default: return "\(subject)\(here)."
        }
    }
}
