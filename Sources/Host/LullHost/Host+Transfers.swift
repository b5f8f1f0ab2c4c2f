import Glibc
import LullHistory
import LullManifest
import LullModel
import LullScheduler
import LullSystem
import LullTransfers
import LullWire
import LullWorkers

/// Transfers: plugins' orders go to the scheduler, and the transfers that it begins go to `lull-transfer`.
extension Host {
    func hear(
        transfer order: TransferOrder, _ id: SubmitID, _ sequence: UInt64, of worker: WorkerID
    ) {
        let token = replies.expect(of: id) { [unowned self] reply in
            switch reply {
            case .transfer(let transfer):
                pool?.answer(toTransfer: id, sequence: sequence, of: worker, .success(transfer))
            case .refused(let refusal):
                pool?.answer(toTransfer: id, sequence: sequence, of: worker, .failure(refusal))
            case .accepted, .launched, .done, .unchanged: break
            }
        }
        handle(.transferAsked(worker.app, order, reply: token))
        watchTransferRoom()
    }

    func begin(_ start: TransferStart, of app: AppIdentifier) {
        var start = start
        start.folder = transferFolder(of: app)
        do {
            try transferProcesses().begin(start, app: app, as: transferUser(of: app))
        } catch {
            logger.warning("\(error.sentence)")
            handle(.transferNews(start.id, attempt: start.attempt, .interruption(error.sentence)))
        }
    }

    func removeTransferFiles(of app: AppIdentifier, stem: UInt64, upload: String?) {
        do {
            try transferProcesses().remove(
                folder: transferFolder(of: app), stem: stem, upload: upload, as: transferUser(of: app))
        } catch {
            logger.warning("\(error.sentence)")
        }
    }

    /// Ends transfers that an earlier host left under way, removes its leftover files, and reports how far the others
    /// are. Called before the first worker, which may be about to hand over an upload that is not known yet.
    func sweepTransferFiles() {
        guard configuration.goal != .discovery, !scheduler.ledger.transfers.isEmpty,
            let state = try? OwnFolder(configuration.state.path)
        else {
            return
        }
        TransferOrphans.end(mark: transferMark)
        let apps = state.folder("apps")
        for app in (apps?.names ?? []).compactMap({ AppIdentifier($0) }) {
            guard let folder = apps?.folder(app.text)?.folder(TransferFiles.folder) else { continue }
            let names = folder.names
            let strays = scheduler.ledger.transfers.strays(among: names, of: app)
            for stem in strays.stems { removeTransferFiles(of: app, stem: stem, upload: nil) }
            // No transfer has the number 0.
            for upload in strays.uploads { removeTransferFiles(of: app, stem: 0, upload: upload) }
            for state in scheduler.transfers(of: app, session: nil) where !state.phase.isOver {
                guard let size = folder.status(of: TransferFiles.part(state.stem))?.st_size, size > 0 else {
                    continue
                }
                let received = min(Int64(size), PartNote.sizes.upperBound)
                let news = TransferNews.progressed(TransferProgress(received: received))
                handle(.transferNews(state.id, attempt: TransferNews.found, news))
            }
        }
    }

    private var transferMark: String { TransferOrphans.mark(ofState: configuration.state.path) ?? "" }

    private func transferFolder(of app: AppIdentifier) -> String {
        configuration.state.appFolder(app.text) + "/" + TransferFiles.folder
    }

    /// The owner of the app's folder, which is the user that the app runs as. Nil: the host is not root and has one
    /// user for all.
    private func transferUser(of app: AppIdentifier) throws(TransferTrouble) -> TransferUser? {
        guard geteuid() == 0 else { return nil }
        let folder = configuration.state.appFolder(app.text)
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw TransferTrouble(
                sentence:
                    "\(folder) is not a folder, so Lull does not know which user transfers. Launch the app, which creates it."
            )
        }
        return TransferUser(number: status.st_uid, group: status.st_gid)
    }

    /// Made at the first transfer.
    private func transferProcesses() throws(TransferTrouble) -> TransferProcesses {
        if let transfers { return transfers }
        let executable = configuration.transferer
        if let trouble = configuration.transferTrouble { throw TransferTrouble(sentence: trouble) }
        do {
            let made = try TransferProcesses(
                loop: loop, executable: executable, mark: transferMark,
                hear: { [unowned self] _, id, attempt, news in
                    handle(.transferNews(id, attempt: attempt, news))
                    watchTransferRoom()
                    noteChange()
                },
                log: { [unowned self] in logger.warning("\($0)") })
            transfers = made
            return made
        } catch {
            throw TransferTrouble(sentence: error.message)
        }
    }

    private struct TransferTrouble: Error { let sentence: String }
}
