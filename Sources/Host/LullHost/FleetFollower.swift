import LullFleet
import LullManifest
import LullModel
import LullScheduler
import LullSystem

/// Takes the fleet's manifest for this host: fetches it when a beat names another than the current one, checks it
/// together with the host's own, and writes it to its file. A refused manifest changes nothing, and the fleet gets the
/// reason.
final class FleetFollower {
    /// The functions that the host provides.
    struct Ways {
        /// Does work on a thread that may hang; nil: it did not come back in time.
        var aside: (@escaping @Sendable () -> Outcome, @escaping (Outcome?) -> Void) -> Void
        /// What is wrong with the host's manifest if the file had this text; nil: nothing.
        var judge: @Sendable (_ text: String, _ path: String) -> String?
        /// The file was replaced and has to be read.
        var taken: (_ sentence: String) -> Void
        var trouble: (_ sentence: String) -> Void
    }
    enum Outcome: Sendable, Equatable {
        case found(FollowedManifest.Found)
        case taken
        case refused(String)
    }

    let path: String
    /// The manifest in the file; nil: not known yet.
    private(set) var has: FleetManifestName?
    /// The place of this host in the fleet.
    var place: String
    private let name: String
    private let call: FleetCaller
    private let ways: Ways
    private var isBusy = false
    private var refused: (manifest: FleetManifestName, at: MonotonicTime)?
    private var unsaid: Refusal?

    /// A refused manifest may become acceptable, for example once a plugin is installed.
    private static let pause: Duration = .minutes(10)

    private struct Question: Encodable { let number: Int64 }
    private struct Answer: Decodable {
        struct Manifest: Decodable {
            let number: Int64
            let hash: String
            let text: String
        }
        let manifest: Manifest?
    }
    private struct Refusal: Encodable {
        let place: String
        let name: String
        let number: Int64
        let sentence: String
    }

    init(_ path: String, as identity: FleetIdentity, call: @escaping FleetCaller, _ ways: Ways) {
        (self.path, place, name) = (path, identity.place, identity.name)
        (self.call, self.ways) = (call, ways)
        look()
    }

    /// Looks at the file again, which may have been replaced.
    func look() {
        guard !isBusy else { return }
        isBusy = true
        let file = FollowedManifest(path: path)
        ways.aside({ .found(file.look()) }) { [weak self] outcome in
            guard let self else { return }
            isBusy = false
            guard case .found(let found)? = outcome else { return }
            switch found {
            case .manifest(let name): has = name
            case .nothing, .foreign: has = FleetManifestName.none
            case .edited:
                has = FleetManifestName.none
                ways.trouble("\(path) was changed by hand; Lull writes the fleet's manifest there again.")
            }
        }
    }

    /// Handles the answer to a beat; nil: the fleet has no manifest, and the file stays.
    func heard(_ wanted: FleetManifestName?) {
        say()
        guard let wanted, let has, wanted != has, !isBusy else { return }
        if let refused, refused.manifest == wanted, Clock.monotonic - refused.at < Self.pause { return }
        isBusy = true
        let file = FollowedManifest(path: path)
        guard wanted.number > 0 else {
            return settle(wanted, "The fleet no longer has a manifest: Lull removed \(path).") {
                file.remove().map { .refused($0) } ?? .taken
            }
        }
        call("manifest_1", FleetJSON.text(Question(number: wanted.number))) { [weak self] result in
            guard let self else { return }
            // A failed fetch is repeated at a later beat.
            guard case .success(let text) = result, let answer = FleetJSON.decode(Answer.self, text),
                let manifest = answer.manifest, manifest.hash == wanted.hash
            else { return isBusy = false }
            let judge = ways.judge
            settle(wanted, "Manifest \(wanted.number) of the fleet is in force: \(file.path).") {
                guard ManifestReader.hash(manifest.text.utf8) == manifest.hash else {
                    return .refused("Its text is not the one that was applied. Apply it again.")
                }
                let fault = judge(manifest.text, file.path) ?? file.write(manifest.text, wanted)
                return fault.map { .refused($0) } ?? .taken
            }
        }
    }

    private func settle(
        _ wanted: FleetManifestName, _ sentence: String, _ work: @escaping @Sendable () -> Outcome
    ) {
        ways.aside(work) { [weak self] outcome in
            guard let self else { return }
            isBusy = false
            switch outcome {
            case .taken?:
                has = wanted
                refused = nil
                ways.taken(sentence)
            case .refused(let why)?:
                refused = (wanted, Clock.monotonic)
                ways.trouble("Manifest \(wanted.number) of the fleet can't be used: \(why)")
                unsaid = Refusal(place: place, name: name, number: wanted.number, sentence: why)
                say()
            case .found?, nil: break
            }
        }
    }

    private func say() {
        guard let refusal = unsaid else { return }
        unsaid = nil
        call("refuse_1", FleetJSON.text(refusal)) { [weak self] result in
            if case .failure(.away) = result, self?.unsaid == nil { self?.unsaid = refusal }
        }
    }
}
