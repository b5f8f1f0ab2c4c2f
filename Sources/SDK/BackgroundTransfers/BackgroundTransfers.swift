// On Apple's systems Foundation brings all of this along, and so does the module here: one import is enough. What it declares
// under a name of FoundationNetworking's is meant by that name, as long as the file does not import FoundationNetworking too.
@_exported import Foundation
@_exported import FoundationNetworking

/// Where an error that ended a download has what `downloadTask(withResumeData:)` goes on with.
///
/// Apple: Foundation, `NSURLSessionDownloadTaskResumeData`.
public let NSURLSessionDownloadTaskResumeData = FoundationNetworking.URLSessionDownloadTaskResumeData
