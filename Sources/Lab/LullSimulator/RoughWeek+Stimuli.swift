import LullModel
import LullScheduler

/// Faults, and what people do meanwhile.
extension RoughWeek {
    mutating func stimulus(in manifest: Manifest, at time: WallTime) -> World.Stimulus {
        switch pick(0...9) {
        case 0...3: weather(at: time)
        case 4...6: people(manifest, at: time)
        case 7: processes(manifest)
        case 8: disk()
        default: machine()
        }
    }

    private mutating func weather(at time: WallTime) -> World.Stimulus { .conditions(conditions(at: time)) }

    mutating func conditions(at time: WallTime) -> Conditions {
        Conditions(
            externalPower: oneOf(.known(true), .known(true), .known(false), .unknown("no adapter")),
            battery: oneOf(
                .unknown("no battery"), .known(0.9), .known(0.2), .unknown("the battery can't be read")),
            network: oneOf(
                .known(.unmetered), .known(.unmetered), .known(.metered), .known(.none),
                .unknown("no netlink")),
            presence: oneOf(
                .known(.active), .known(.idle(since: time)), .known(.idle(since: time - .hours(1))),
                .unknown("no logind")),
            load: oneOf(0, 0.3, 0.6, 2.5), memoryPressure: oneOf(nil, 0, 0, 0.5),
            diskFree: oneOf(1 << 40, 1 << 40, 1 << 20))
    }

    private mutating func people(_ manifest: Manifest, at time: WallTime) -> World.Stimulus {
        guard let app = any(of: manifest.apps), let task = any(of: app.tasks)?.identifier else {
            return .clockStep(.zero)
        }
        switch pick(0...11) {
        case 0...1: return .used(app.identifier)
        case 2...4:
            let submitter = chance(0.7) ? app.identifier : nil
            return .submitted(
                Submission(
                    app: submitter, task: task, kind: oneOf(nil, nil, .processing, .refresh),
                    earliestBegin: oneOf(nil, nil, time + .hours(2))))
        case 5: return .cancelled(app.identifier, chance(0.5) ? task : nil)
        case 6: return .launchRequested(task)
        case 7: return .expireRequested(task)
        case 8: return .enabled(app.identifier, chance(0.7))
        case 9...10: return .manifest(changed(manifest))
        default:
            let days = pick(1...20)
            let events = (0..<days).map {
                HistoryEvent(.used, at: time - .days(days - $0), app: app.identifier)
            }
            return .imported(events)
        }
    }

    private mutating func processes(_ manifest: Manifest) -> World.Stimulus {
        let app = any(of: manifest.apps)?.identifier
        switch pick(0...3) {
        case 0: return .hostDied(down: down())
        case 1: return .hostDiesAmidEffects(after: pick(0...4), down: down())
        case 2: return app.map { .workerDied($0) } ?? .clockStep(.zero)
        default: return app.map { .violated($0, isFatal: chance(0.5)) } ?? .clockStep(.zero)
        }
    }

    private mutating func disk() -> World.Stimulus {
        switch pick(0...3) {
        case 0: .diskFull(.seconds(oneOf(10, 300, 7_200)))
        case 1: .diskFails(pick(1...4))
        default: .hostDiesAmidWrite(isDurable: chance(0.5), down: down())
        }
    }

    private mutating func machine() -> World.Stimulus {
        switch pick(0...4) {
        case 0: .clockStep(.seconds(oneOf(-7_200, -3_600, -1, 1, 3_600, 40_000, -40_000)))
        case 1: .suspended(.seconds(oneOf(5, 600, 30_000)))
        case 2: .poweredOff(.seconds(oneOf(60, 20_000, 100_000)), silently: chance(0.5))
        case 3: .restarted(down: down())
        default: .suspended(.seconds(pick(1...4_000)))
        }
    }

    private mutating func down() -> Duration { .seconds(oneOf(0, 2, 600, 20_000)) }

    /// The manifest with one change.
    private mutating func changed(_ manifest: Manifest) -> Manifest {
        var new = manifest
        guard let place = new.apps.indices.randomElement(using: &random),
            let task = new.apps[place].tasks.indices.randomElement(using: &random)
        else { return new }
        switch pick(0...12) {
        case 0: new.apps[place].enabled.toggle()
        case 1: new.apps[place].tasks[task].enabled.toggle()
        case 2: new.apps[place].tasks.remove(at: task)
        case 3: new.apps.remove(at: place)
        case 4, 9...11: new.apps[place].tasks[task].kind = oneOf(.refresh, .processing)
        case 5:
            let span = oneOf(nil, Duration.hours(2), .hours(9))
            // No manifest repeats what a person begins.
            if new.apps[place].tasks[task].kind != .continued { new.apps[place].tasks[task].repeat = span }
        case 6: new.apps[place].settings = .object(["turn": .number(Double(pick(0...9)))])
        case 7: new.apps[place].idleAfter = oneOf(nil, .days(1), .days(7))
        case 8: new.hostConcurrency = pick(1...3)
        default: new.apps[place].tasks[task].windows = []
        }
        return new
    }
}
