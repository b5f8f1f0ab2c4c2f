import Foundation

/// A run that a push began: a message from outside that `push` in `jobs.yaml` allows.
///
/// Its identifier is the app's own followed by `.push`. An app with a delegate receives the push through
/// ``UIApplicationDelegate/application(_:didReceiveRemoteNotification:fetchCompletionHandler:)``, and finds this object as
/// ``UIApplication/pushTask`` meanwhile. Any other app registers a handler for the identifier.
///
/// Lull's own: Apple has no object for it.
public class LullPushTask: BGTask {
    /// The JSON that was sent. Trust it no more than you trust its sender.
    public var payload: String { run.launch.payload }

    /// How many earlier pushes were merged into this one. Their payloads are gone.
    public var merged: Int { run.launch.merged }

    /// Whether people are to be notified: call ``report(_:)`` before the run ends.
    public var isUrgent: Bool { run.launch.isUrgent }

    /// The payload as Apple hands it over: its members or, where it is no object, itself under `payload`.
    public var userInfo: [AnyHashable: Any] {
        let value = try? JSONSerialization.jsonObject(
            with: Data(payload.utf8), options: [.fragmentsAllowed])
        if let members = value as? [String: Any] { return members }
        return value.map { ["payload": $0] } ?? [:]
    }

    /// Notifies people of the push, through `notify` in `jobs.yaml`. Only the first call of a run counts.
    ///
    /// An app that leaves three urgent pushes in a row unreported loses urgency: from then on its pushes count as silent,
    /// until an operator restores it.
    /// - Parameter text: One sentence.
    public func report(_ text: String) {
        run.report(text)
    }
}
