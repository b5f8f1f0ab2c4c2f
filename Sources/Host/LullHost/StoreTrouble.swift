import LullHistory
import LullModel

/// For how long the history has taken no record, and why: a lock, an error, or a disk that does not answer.
struct StoreTrouble: Equatable {
    var span: Duration
    var holder: LockHolder?
    /// The app whose process is the holder.
    var app: AppIdentifier?
    /// The error of the last try.
    var error: HistoryError?

    /// With its remedy.
    var sentence: String {
        let seconds = max(1, span.components.seconds)
        return
            "The history has recorded nothing for \(seconds) s: \(cause). Until it records again, nothing is launched or "
            + "acknowledged; current runs keep their limits. \(fix)"
    }

    private var cause: String {
        if let holder {
            return holder.words + (app.map { ", which \($0) has started," } ?? "") + " holds its lock"
        }
        guard let error else { return "the disk does not answer" }
        var message = error.message
        if let place = message.range(of: ": error: ") { message.removeSubrange(..<place.upperBound) }
        if message.hasSuffix(".") { message.removeLast() }
        return message
    }

    private var fix: String {
        if let app, holder != nil {
            return
                "Lull kills the worker of \(app) for this. Hide the state folder from it with `limits`."
        }
        return holder?.fix ?? error?.fix ?? "Look at the disk, with `dmesg` for example."
    }
}

extension StoreTrouble {
    /// How long a commit may take before it is reported.
    static let timeout: Duration = .seconds(2)
}
