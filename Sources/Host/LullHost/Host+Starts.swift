import LullManifest
import LullModel
import LullScheduler
import LullWorkers

/// Starts workers and compares their plugins with those they have loaded. Looking at the files may hang, so it happens
/// beside the loop.
extension Host {
    /// Always answered: if the disk does not answer, no change is known.
    func comparePlugin(of worker: WorkerID) {
        lookAtPlugin(of: worker) { [unowned self] stamp in
            handle(.pluginCompared(worker, stamp: stamp))
        }
    }

    /// A plugin that can't be loaded waits for its file to change. One whose file changed while it was loaded has not come to
    /// rest yet: it is tried again after a while.
    func startFailed(_ worker: WorkerID, _ sentence: String) {
        lookAtPlugin(of: worker) { [unowned self] stamp in
            guard let stamp, let known = scheduler.stamp(of: worker), stamp != known else {
                return handle(.workerFailed(worker, sentence: sentence))
            }
            handle(.pluginCompared(worker, stamp: stamp))
            handle(
                .workerExited(
                    worker,
                    sentence:
                        "its plugin's file was changed while it was loaded (\(sentence.withoutFullStop))"))
        }
    }

    /// `then` gets the app's current stamp; nil: it could not be read.
    private func lookAtPlugin(of worker: WorkerID, then: @escaping (String?) -> Void) {
        guard let app = manifest.apps.first(where: { $0.identifier == worker.app }) else { return then(nil) }
        blocking.run(within: configuration.lookWait) {
            PluginStamp.ofPresent(app, PluginFiles(of: app))
        } then: { [unowned self] found in
            // The manifest has changed since the look.
            guard manifest.apps.contains(app) else { return lookAtPlugin(of: worker, then: then) }
            then(found ?? nil)
        }
    }

    func startWorker(_ worker: WorkerID) {
        guard let app = manifest.apps.first(where: { $0.identifier == worker.app }) else {
            // It was removed while the start waited for its record. Nothing was started, so nothing else reports its end.
            return handle(.workerExited(worker, sentence: "the manifest no longer lists it"))
        }
        let folder = configuration.state.appFolder(worker.app.text)
        let (look, executable) = (configuration.lookAtStart, configuration.worker)
        let number = starts.begin(worker)
        blocking.run(within: configuration.lookWait) {
            var sight = look(app, folder)
            if let refusal = PluginSight.refusal(ofWorker: executable) { sight.plugin = .failure(refusal) }
            return sight
        } then: { [unowned self] sight in
            guard starts.end(worker, look: number) else { return }
            // The manifest has changed since the look.
            guard manifest.apps.contains(app) else { return startWorker(worker) }
            start(worker, app, folder, sight)
        }
    }

    /// Calls off a start that is still waiting for its look. True: it was, and the worker's exit is reported.
    func callOffStart(of worker: WorkerID) -> Bool {
        guard starts.callOff(worker) else { return false }
        handle(.workerExited(worker, sentence: "it was cancelled before it was started"))
        return true
    }

    private func start(_ worker: WorkerID, _ app: App, _ folder: String, _ sight: StartSight?) {
        guard verifyState() else { return }
        guard let sight else {
            // No fault of the plugin's: it is tried again after a while, as it is.
            let sentence =
                blocking.shortage.map { "the host could make no thread: \($0)" }
                ?? StartSight.lateness(of: app, limit: configuration.lookWait)
            return handle(.workerHeldBack(worker, sentence: sentence))
        }
        if let absence = sight.absence(for: app) { return handle(.workerHeldBack(worker, sentence: absence)) }
        if let refusal = configuration.state.createAppFolder(app.identifier.text, sight) {
            // No fault of the app's either.
            let isForNow =
                DiskRoom(of: configuration.state.path).map { $0.bytes == 0 || $0.files == 0 } ?? false
            return handle(
                isForNow
                    ? .workerHeldBack(worker, sentence: refusal)
                    : .workerFailed(worker, sentence: refusal))
        }
        switch sight.plugin {
        case .success(let identity):
            let account = sight.isOwnAccount ? sight.user?.number : nil
            handle(.pluginCompared(worker, stamp: PluginStamp.ofPresent(app, sight.files)))
            pool?.start(
                WorkerSpec(
                    app: app, stateFolder: folder, state: configuration.state.path, account: account,
                    number: worker.number, identity: identity, files: sight.files))
            handle(.carriedOut(.startWorker(worker)))
            watchDisk(usedBy: app.identifier)
        case .failure(let refusal) where refusal.isAbsence:
            handle(.workerHeldBack(worker, sentence: refusal.sentence))
        case .failure(let refusal):
            handle(.workerFailed(worker, sentence: refusal.sentence))
        }
    }
}
