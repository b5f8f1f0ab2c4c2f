import Foundation
import FoundationNetworking

extension FoundationNetworking.URLSessionTask {
    /// The transfer begins no earlier; set it before `resume()`. It has no effect on a task of any other session.
    ///
    /// Apple: Foundation, `URLSessionTask.earliestBeginDate`.
    public var earliestBeginDate: Date? {
        get { (self as? any TransferTask)?.transfer.earliestBegin }
        set { (self as? any TransferTask)?.transfer.earliestBegin = newValue }
    }
}
