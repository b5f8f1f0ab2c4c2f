import Foundation
import FoundationNetworking

extension URLError {
    /// Why a transfer came to nothing, as Apple has it; the sentence is its `localizedDescription`.
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

    /// How a transfer has ended; nil: well.
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
