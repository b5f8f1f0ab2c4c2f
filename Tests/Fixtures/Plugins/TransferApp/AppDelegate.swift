import BackgroundTasks
import BackgroundTransfers

// As in Apple's article "Downloading files in the background", with other imports. The task `begin` downloads the files in its
// setting `urls`, and uploads the file `upload`, which it deletes at once. `look` makes the session again. Each event is
// printed, and is a line of `events` in the app's folder.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var backgroundCompletionHandler: (() -> Void)?
    private lazy var downloader = Downloader()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: LullApp.identifier + ".begin", using: .main
        ) { task in
            self.begin(task)
        }
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: LullApp.identifier + ".look", using: .main
        ) { task in
            self.downloader.wake()
            task.setTaskCompleted(success: true)
        }
        return true
    }

    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        note("events for \(identifier)")
        backgroundCompletionHandler = completionHandler
        downloader.wake()
    }

    private func begin(_ task: BGTask) {
        struct Settings: Decodable {
            var urls: [URL] = []
            var upload: URL?
            var file: String?
        }
        let settings = try? task.settings(as: Settings.self)
        for url in settings?.urls ?? [] { downloader.download(url) }
        if let url = settings?.upload, let file = settings?.file { downloader.upload(file, to: url) }
        task.setTaskCompleted(success: settings != nil)
    }
}

class Downloader: NSObject, URLSessionDelegate, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private lazy var urlSession: URLSession = {
        let config = URLSessionConfiguration.background(withIdentifier: "MySession")
        config.sessionSendsLaunchEvents = true
        return URLSession(configuration: config, delegate: self, delegateQueue: nil)
    }()

    func wake() { _ = urlSession }

    func download(_ url: URL) {
        let backgroundTask = urlSession.downloadTask(with: url)
        backgroundTask.countOfBytesClientExpectsToSend = 200
        backgroundTask.countOfBytesClientExpectsToReceive = 500 * 1024
        backgroundTask.resume()
    }

    func upload(_ file: String, to url: URL) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let task = urlSession.uploadTask(with: request, fromFile: URL(fileURLWithPath: file))
        task.taskDescription = "upload"
        task.resume()
        try? FileManager.default.removeItem(atPath: file)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let httpResponse = downloadTask.response as? HTTPURLResponse,
            (200...299).contains(httpResponse.statusCode)
        else {
            note("server error")
            return
        }
        do {
            let documentsURL = try FileManager.default.url(
                for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            let name = downloadTask.originalRequest?.url?.lastPathComponent ?? location.lastPathComponent
            let savedURL = documentsURL.appendingPathComponent(name)
            try FileManager.default.moveItem(at: location, to: savedURL)
            note("saved \(name)")
        } catch {
            note("file error: \(error)")
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("answered \(data.count) bytes")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        let name = task.originalRequest?.url?.lastPathComponent ?? ""
        note("completed \(name): \(error?.localizedDescription ?? "no error")")
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        note("finished events")
        DispatchQueue.main.async {
            guard let appDelegate = UIApplication.shared.delegate as? AppDelegate,
                let backgroundCompletionHandler = appDelegate.backgroundCompletionHandler
            else { return }
            appDelegate.backgroundCompletionHandler = nil
            backgroundCompletionHandler()
        }
    }
}

/// Writes a whole line at once, because two processes may write.
func note(_ line: String) {
    print(line)
    let file = open(NSHomeDirectory() + "/events", O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = write(file, line + "\n", line.utf8.count + 1)
}
