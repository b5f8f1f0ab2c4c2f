// On Apple's systems Foundation brings all of this along, and so does the module here: one import is enough. Where this module
// and FoundationNetworking both declare a name, it means this module's, unless the file imports FoundationNetworking too.
@_exported import Foundation
@_exported import FoundationNetworking

/// The key of the data for `downloadTask(withResumeData:)` in the error that ended a download.
///
/// Apple: Foundation, `NSURLSessionDownloadTaskResumeData`.
public let NSURLSessionDownloadTaskResumeData = FoundationNetworking.URLSessionDownloadTaskResumeData
