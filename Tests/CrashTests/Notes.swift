import LullModel
import Synchronization

/// The acknowledgements of the host, as its clients noted them.
final class Notes: Sendable {
    struct Contents {
        var requests: [RequestID: String] = [:]
        var uses: Set<Account.Use> = []
        /// Answers other than acknowledgements, except the end of a connection.
        var refusals: [String] = []
    }

    private let contents = Mutex(Contents())

    var all: Contents { contents.withLock { $0 } }

    func accepted(_ request: RequestID, task: String) {
        contents.withLock { contents in
            if let other = contents.requests.updateValue(task, forKey: request) {
                contents.refusals.append("request \(request) was given to \(other) and to \(task)")
            }
        }
    }

    func used(_ use: Account.Use) { _ = contents.withLock { $0.uses.insert(use) } }

    func refused(_ sentence: String) { contents.withLock { $0.refusals.append(sentence) } }

    /// "Accepted as request 7.", as the host answers.
    static func request(in answer: String) -> RequestID? {
        let words = answer.split { !$0.isNumber }
        return answer.hasPrefix("Accepted as request ")
            ? words.first.flatMap { UInt64($0) }.map(RequestID.init) : nil
    }
}
