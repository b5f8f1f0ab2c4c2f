import Foundation
import LullFleet
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// The fleet: the scheduler's calls go to the database, and its answers to the scheduler.
extension Host {
    /// Gives the scheduler this process's identity in the fleet, before it gets a manifest with a fleet.
    func joinFleet(of manifest: Manifest) {
        guard manifest.fleet != nil, !isInFleet, configuration.goal != .discovery else { return }
        do throws(HostError) {
            let place = try configuration.state.makeFleetPlace()
            let number = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }.joined()
            scheduler.join(
                as: FleetIdentity(
                    host: number, place: place, name: ProcessInfo.processInfo.hostName,
                    home: configuration.state.home(boot: bootName)))
            isInFleet = true
        } catch {
            logger.error("\(error.message)")
        }
    }

    /// Connects or disconnects, after the scheduler has got the manifest.
    func followFleet(of manifest: Manifest) {
        let wanted = isInFleet && !isShuttingDown && !configuration.goal.isLaunch ? manifest.fleet : nil
        let current = fleet?.connection.definition
        if current?.database != wanted?.database || current?.name != wanted?.name {
            fleet?.end()
            fleet = nil
            if let wanted { connect(to: wanted) }
        }
        fleet?.follow(manifest)
    }

    private func connect(to definition: FleetDefinition) {
        do throws(LoopError) {
            let made = try FleetLink(
                definition, as: scheduler.identity,
                credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"], on: loop, reads,
                followerWays
            ) { [unowned self] in handle(.usesFound($0)) }
            made.mirror.onTrouble = { [unowned self] in if let trouble = $0 { logger.warning("\(trouble)") } }
            made.mirror.onForeign = { [unowned self] in moveInFleet(because: $0) }
            made.connection.hurries = { [unowned self] in scheduler.owesFleet }
            made.connection.onState = { [unowned self] in fleetIs($0) }
            fleet = made
            fleetIs(made.connection.state)
        } catch {
            logger.error("\(error.message)")
            handle(.fleet(.unreachable(error.message)))
        }
    }

    private var followerWays: FleetFollower.Ways {
        let (read, path, plugins) = (
            configuration.readManifestWith, configuration.manifestPath, configuration.pluginPath
        )
        return FleetFollower.Ways(
            aside: { [unowned self] work, then in
                blocking.run(within: configuration.readWait, work, then: then)
            },
            judge: { text, file in
                let result = read(path, plugins, Array(text.utf8), file)
                return result.manifest == nil
                    ? result.diagnostics.first { $0.severity == .error }?.logged ?? "It can't be read." : nil
            },
            taken: { [unowned self] sentence in
                logger.notice("\(sentence)")
                reload()
            },
            trouble: { [unowned self] in logger.error("\($0)") })
    }

    /// The place belongs to another history: this host draws a new one, by which the fleet knows it from then on.
    private func moveInFleet(because sentence: String) {
        var identity = scheduler.identity
        do throws(HostError) {
            identity.place = try configuration.state.makeFleetPlace(anew: true)
            logger.warning("\(sentence) This host has its own place from now on: \(identity.place).")
            scheduler.join(as: identity)
            fleet?.move(to: identity)
            handle(.fleet(.connected))
        } catch {
            logger.error("\(sentence) Its own place can't be written: \(error.message)")
        }
    }

    private func fleetIs(_ state: FleetConnection.State) {
        switch state {
        case .connecting, .ended: break
        case .connected: handle(.fleet(.connected))
        case .waiting(let trouble, _):
            fleet?.disconnected()
            say(trouble)
            handle(.fleet(.unreachable(trouble.message.withoutStop)))
        }
        noteChange()
    }

    /// Logs a trouble once, however often the connection is tried.
    private func say(_ trouble: FleetTrouble) {
        let sentence = trouble.sentence
        if fleetTrouble != sentence { logger.warning("\(sentence)") }
        fleetTrouble = sentence
    }

    func ask(_ call: FleetCall, _ number: UInt64) {
        guard let fleet else { return handle(.fleet(.failed(number, "it is not connected"))) }
        fleet.connection.call(fleet.completed(call)) { [unowned self] result in
            switch result {
            case .success(let answer):
                if fleetTrouble != nil { logger.notice("The fleet's database answers again.") }
                fleetTrouble = nil
                handle(.fleet(.answered(number, answer)))
                self.fleet?.note(answer)
                if case .beat(let answer) = answer, let twin = answer.twin {
                    moveInFleet(
                        because: "\(twin) is alive and has the place of this host in the fleet: "
                            + "the state folder of one is a copy of the other's. Start a copy of a machine with an "
                            + "empty state folder, so that it does not take over the other's runs.")
                }
            case .failure(let trouble):
                if trouble != .ended { say(trouble) }
                handle(.fleet(.failed(number, trouble.message.withoutStop)))
            }
            noteChange()
        }
    }
}

extension FleetTrouble {
    fileprivate var sentence: String { [message, fix].compactMap { $0 }.joined(separator: " ") }
}

extension String {
    /// To be put into another sentence.
    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
