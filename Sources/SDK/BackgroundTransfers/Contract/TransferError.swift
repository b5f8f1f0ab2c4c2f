import Foundation
import FoundationNetworking

extension URLError {
    /// The error of a transfer that failed, with Apple's code; the sentence is its `localizedDescription`.
    static func transfer(
        _ code: Int, _ sentence: String?, url: String?, resumeData: Data? = nil
    ) -> URLError {
        var info: [String: Any] = [:]
        info[NSLocalizedDescriptionKey] = sentence
        if let url {
            info["NSErrorFailingURLStringKey"] = url
            info[NSURLErrorFailingURLErrorKey] = URL(string: url)
        }
        info[NSURLSessionDownloadTaskResumeData] = resumeData
        // FoundationNetworking traps when it is asked for a code that it does not know.
        let known = URLError.Code(rawValue: code) == nil ? NSURLErrorUnknown : code
        return URLError(_nsError: NSError(domain: NSURLErrorDomain, code: known, userInfo: info))
    }

    /// The error that ended a transfer; nil unless it failed or was cancelled.
    static func of(_ record: TransferRecord, _ resumeData: Data?) -> URLError? {
        switch record.phase {
        case .failed: .transfer(record.code, record.sentence, url: record.order.url, resumeData: resumeData)
        case .cancelled:
            .transfer(
                NSURLErrorCancelled, record.sentence ?? "The transfer was cancelled.",
                url: record.order.url, resumeData: resumeData)
        default: nil
        }
    }
}
