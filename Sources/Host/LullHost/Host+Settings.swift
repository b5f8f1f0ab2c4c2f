import LullControl
import LullModel
import LullSystem

/// Settings that break a plugin's schema: its tasks run all the same, and fail only if the plugin fails them.
extension Host {
    private static let mostRemarks = 3

    /// Checks the manifest in force against the schemas, beside the loop: a plugin's file may be on a disk that hangs.
    func judgeSettings() {
        let (judge, judged) = (configuration.judgeSettings, manifest)
        blocking.run(within: configuration.readWait) {
            judge(judged)
        } then: { [unowned self] troubles in
            // A manifest that is no longer in force is not reported on.
            let troubles = troubles ?? []
            guard judged == manifest, troubles != settingTroubles else { return }
            for trouble in troubles where !settingTroubles.contains(trouble) { logger.warning("\(trouble)") }
            if troubles.isEmpty { logger.notice("All settings fit their plugins' schemas again.") }
            settingTroubles = troubles
            noteChange()
        }
    }

    func note(_ hindrance: Ask.PushHindrance) {
        guard pushHindrances[hindrance.app]?[hindrance.source] != hindrance.sentence else { return }
        pushHindrances[hindrance.app, default: [:]][hindrance.source] = hindrance.sentence
        noteChange()
    }

    /// Forgets the hindrances of push rules that are no longer in force.
    func forgetPushHindrances(of before: Manifest) {
        let kept = Dictionary(manifest.apps.map { ($0.identifier, $0.push) }) { first, _ in first }
        for app in before.apps where kept[app.identifier] != app.push { pushHindrances[app.identifier] = nil }
    }

    /// Why changes of files are noticed late; nil: they are not.
    private var fileShortage: String? { loop.fileShortage?.sentence(interval: loop.fileLookInterval) }

    /// The remarks above a status: why the files are not in force, and other troubles of the host.
    var remarks: [String]? {
        let rest = settingTroubles.count - Self.mostRemarks
        let more = "\(rest) more setting\(rest == 1 ? " is" : "s are") wrong: `lull check` shows all of them."
        let ofHost = [
            manifestTrouble, pageTrouble?(), fileShortage, finding,
            thinning?.sentence(limit: manifest.retention.bytes),
        ]
        var all = ofHost.compactMap { $0 }
        all += settingTroubles.prefix(Self.mostRemarks)
        if rest > 0 { all.append(more) }
        for app in manifest.apps {
            all += (pushHindrances[app.identifier] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\(app.identifier).push: \($0.value)" }
        }
        all += (usage?.faults ?? []).map { "\($0.app): \($0.fault.message) \($0.fault.fix)" }
        return all.isEmpty ? nil : all
    }
}
