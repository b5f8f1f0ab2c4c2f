import Foundation

extension BGTaskScheduler {
    /// Why a request was not accepted.
    ///
    /// `localizedDescription` is the host's sentence: what is wrong with which request, and what to do
    /// about it. A struct around an `NSError`, as Apple's errors are, so that `catch
    /// BGTaskScheduler.Error.notPermitted` and `(error as NSError).code` both work.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.Error`.
    public struct Error: _BridgedStoredNSError, Sendable {
        public let _nsError: NSError

        public init(_nsError error: NSError) {
            _nsError = error
        }

        public static var errorDomain: String { BGTaskScheduler.errorDomain }
        public static var _nsErrorDomain: String { BGTaskScheduler.errorDomain }

        /// The reason; the numbers are Apple's.
        public enum Code: Int, _ErrorCodeProtocol, Sendable {
            public typealias _ErrorType = BGTaskScheduler.Error

            /// The host can't take requests of this app now.
            case unavailable = 1
            /// The app has as many pending requests of this kind as it may have.
            case tooManyPendingTaskRequests = 2
            /// `jobs.yaml` does not permit the task to this app, or not in this kind.
            case notPermitted = 3
            /// A continued task whose strategy is `fail` can't begin now.
            case immediateRunIneligible = 4
        }

        /// The host can't take requests of this app now.
        public static var unavailable: Code { .unavailable }
        /// The app has as many pending requests of this kind as it may have.
        public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
        /// `jobs.yaml` does not permit the task to this app, or not in this kind.
        public static var notPermitted: Code { .notPermitted }
        /// A continued task whose strategy is `fail` can't begin now.
        public static var immediateRunIneligible: Code { .immediateRunIneligible }
    }
}

extension BGTaskScheduler.Error: CustomStringConvertible {
    public var description: String { "\(code): \(_nsError.localizedDescription)" }

    /// Makes a sentence from the code if the reason is empty.
    init(_ code: Code, identifier: String, reason: String = "") {
        let sentence = reason.isEmpty ? code.sentence(for: identifier) : reason
        self.init(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: sentence,
                NSLocalizedFailureReasonErrorKey: sentence,
            ]
        )
    }
}

extension BGTaskScheduler.Error.Code {
    fileprivate func sentence(for identifier: String) -> String {
        switch self {
        case .unavailable:
            "The request for \(identifier) was not accepted: the host can't accept it now. "
                + "Submit it again later."
        case .tooManyPendingTaskRequests:
            "The request for \(identifier) was not accepted: the app has too many pending requests. "
                + "Cancel one, then submit it again."
        case .notPermitted:
            "The request for \(identifier) was not accepted: it is not permitted to this app. "
                + "List it under the app's tasks in jobs.yaml."
        case .immediateRunIneligible:
            "The request for \(identifier) was not accepted: it can't begin now, and must not wait."
        }
    }
}
