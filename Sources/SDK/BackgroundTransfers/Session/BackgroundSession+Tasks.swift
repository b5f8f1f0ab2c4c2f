import BackgroundTasks
import Foundation
import FoundationNetworking

/// The tasks that a background session makes.
extension BackgroundSession {
    func download(_ request: URLRequest, in session: URLSession) -> URLSessionDownloadTask? {
        let configuration = session.configuration
        return makeTask { ordinal in
            (TransferOrder(request, ordinal: ordinal, of: configuration), request)
        } as? URLSessionDownloadTask
    }

    /// Data that is no resume data of Lull's makes a task that fails, as on Apple's systems.
    func download(_ data: Data, in session: URLSession) -> URLSessionDownloadTask? {
        let configuration = session.configuration
        let resume = ResumeData(data)
        return makeTask { ordinal in
            guard let resume else {
                var order = TransferOrder()
                (order.session, order.ordinal) = (configuration.identifier ?? "", ordinal)
                return (order, nil)
            }
            var order = TransferOrder(resume.request, ordinal: ordinal, of: configuration)
            order.resumes = resume.number
            return (order, resume.request)
        } as? URLSessionDownloadTask
    }

    func upload(
        _ request: URLRequest, _ file: URL, in session: URLSession
    ) -> URLSessionUploadTask? {
        let configuration = session.configuration
        return makeTask { ordinal in
            var order = TransferOrder(request, ordinal: ordinal, of: configuration, isUpload: true)
            order.file = file.path
            return (order, request)
        } as? URLSessionUploadTask
    }

    /// Ends the app, as an exception does on Apple's systems.
    func refuse(_ what: String) -> Never {
        let sentence =
            "A background session (here '\(identifier)') has no \(what). Use downloadTask(with:) and "
            + "uploadTask(with:fromFile:), and get their results through its delegate."
        LullApp.log(sentence, level: .critical)
        preconditionFailure(sentence)
    }
}
