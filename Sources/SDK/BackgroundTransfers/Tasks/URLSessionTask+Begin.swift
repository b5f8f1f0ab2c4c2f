import Foundation
import FoundationNetworking

extension FoundationNetworking.URLSessionTask {
    /// Not before this date; set it before `resume()`. Of a session that is no background session it has no effect.
    ///
    /// Apple: Foundation, `URLSessionTask.earliestBeginDate`.
    public var earliestBeginDate: Date? {
        get { (self as? any TransferTask)?.transfer.earliestBegin }
        set { (self as? any TransferTask)?.transfer.earliestBegin = newValue }
    }
}
