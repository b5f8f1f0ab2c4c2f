import Foundation

/// A run that a push began: a message from outside, which `push` in `jobs.yaml` lets in.
///
/// Its identifier is the app's own with `.push` behind it. An app with a delegate is handed what a push brings by
/// ``UIApplicationDelegate/application(_:didReceiveRemoteNotification:fetchCompletionHandler:)``, and finds this object as
/// ``UIApplication/pushTask`` meanwhile. Any other registers a handler for the identifier.
///
/// Lull's own: Apple has no object for it.
public class LullPushTask: BGTask {
    /// What was sent, as JSON. It is somebody else's text: believe no more of it than its sender is to be believed.
    public var payload: String { run.launch.payload }

    /// How many earlier pushes this one stands for. Their payloads are gone.
    public var merged: Int { run.launch.merged }

    /// Whether people are to be told: ``report(_:)`` before the run ends.
    public var isUrgent: Bool { run.launch.isUrgent }

    /// The payload as Apple hands it over: its members or, where it is no object, itself under `payload`.
    public var userInfo: [AnyHashable: Any] {
        let value = try? JSONSerialization.jsonObject(
            with: Data(payload.utf8), options: [.fragmentsAllowed])
        if let members = value as? [String: Any] { return members }
        return value.map { ["payload": $0] } ?? [:]
    }

    /// Tells people of the push, by `notify` in `jobs.yaml`. The first call of a run counts.
    ///
    /// An app that leaves three urgent pushes in a row unreported loses urgency: from then on they are held as silent
    /// ones, until an operator gives it back.
    /// - Parameter text: One sentence.
    public func report(_ text: String) {
        run.report(text)
    }
}
