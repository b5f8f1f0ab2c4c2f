import Foundation
import FoundationNetworking

/// The calls of a session's delegate, on the delegate's own queue.
extension BackgroundSession {
    /// The end of a task that the host did not report.
    enum OwnEnd: Sendable {
        case cancelled(Data?)
        case refused(String)
    }

    func tell(_ event: TransferEvent, of task: any TransferTask, _ session: URLSession) {
        let delegate = session.delegate
        let tasks = delegate as? any URLSessionTaskDelegate
        let downloads = delegate as? any URLSessionDownloadDelegate
        let download = task as? URLSessionDownloadTask
        switch event {
        case .resumed(let offset, let total):
            guard let download else { return }
            downloads?.urlSession(
                session, downloadTask: download, didResumeAtOffset: offset, expectedTotalBytes: total)
        case .wrote(let count, let total, let expected):
            guard let download else { return }
            downloads?.urlSession(
                session, downloadTask: download, didWriteData: count, totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
        case .sent(let count, let total, let expected):
            tasks?.urlSession(
                session, task: task, didSendBodyData: count, totalBytesSent: total,
                totalBytesExpectedToSend: expected)
        case .waits: tasks?.urlSession(session, taskIsWaitingForConnectivity: task)
        case .challenged(let challenge): ask(challenge, of: task, session)
        case .ended(let record): end(record, of: task, session)
        }
    }

    /// The end of a task that the host knows nothing of.
    func end(_ transfer: Transfer, _ end: OwnEnd) {
        // Retained here, because the app may have dropped it.
        let task = transfer.task
        let url = transfer.withState { $0.order.url }
        let error: URLError =
            switch end {
            case .cancelled(let data):
                .transfer(
                    NSURLErrorCancelled, "The transfer was cancelled.", url: url, resumeData: data)
            case .refused(let sentence): .transfer(transfer.refusalCode, sentence, url: url)
            }
        tell { [self] session in
            transfer.end(error)
            if let task {
                (session.delegate as? any URLSessionTaskDelegate)?.urlSession(
                    session, task: task, didCompleteWithError: error)
            }
            forget(transfer, isHeard: nil)
        }
    }

    /// The host is told before and after, so that the next process knows whether this worker died in between.
    private func end(_ record: TransferRecord, of task: any TransferTask, _ session: URLSession) {
        let transfer = task.transfer
        if !record.wasTaking {
            guard (try? table?.act(.taking, on: record.number)) != nil else { return retry(transfer) }
        }
        let resumeData = resumeData(of: record, transfer)
        let error = URLError.of(record, resumeData)
        if record.phase == .finished { handOver(record, of: task, session) }
        transfer.end(error)
        (session.delegate as? any URLSessionTaskDelegate)?.urlSession(
            session, task: task, didCompleteWithError: error)
        let isHeard = (try? table?.act(.taken, on: record.number)) != nil
        forget(transfer, isHeard: isHeard)
        // The next look tells the host again.
        if !isHeard { lookSoon() }
    }

    private func resumeData(of record: TransferRecord, _ transfer: Transfer) -> Data? {
        if let data = transfer.withState({ $0.resumeData }) { return data }
        guard record.isResumable, !record.order.isUpload else { return nil }
        return ResumeData(record.number, transfer.originalRequest, received: record.received).data
    }

    private func handOver(_ record: TransferRecord, of task: any TransferTask, _ session: URLSession) {
        guard let file = record.file else { return }
        // A worker may have died in the middle of this. If the file is gone, the delegate has had it.
        if record.wasTaking, !FileManager.default.fileExists(atPath: file) { return }
        let url = URL(fileURLWithPath: file)
        if let download = task as? URLSessionDownloadTask {
            (session.delegate as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: download, didFinishDownloadingTo: url)
        } else if let upload = task as? URLSessionDataTask {
            guard let delegate = session.delegate as? any URLSessionDataDelegate,
                let handle = try? FileHandle(forReadingFrom: url)
            else { return }
            defer { try? handle.close() }
            while let data = try? handle.read(upToCount: Self.answerPart), !data.isEmpty {
                delegate.urlSession(session, dataTask: upload, didReceive: data)
            }
        }
    }

    /// How many bytes of a server's answer to an upload are handed over at once.
    private static let answerPart = 1 << 20
}

extension Transfer {
    /// Apple's code for a transfer that the host refused to begin.
    fileprivate var refusalCode: Int {
        guard let file = withState({ $0.order.file }) else { return NSURLErrorUnknown }
        return FileManager.default.fileExists(atPath: file)
            ? NSURLErrorNoPermissionsToReadFile : NSURLErrorFileDoesNotExist
    }
}
