import LullModel
import LullScheduler

/// The log comes first, and a host that crashes begins again with what it holds.
extension Simulation {
    /// Writes the batches that wait, and carries out the effects that waited for them.
    mutating func goOn() {
        while let batch = order.next() {
            if case .amidWrite(let isDurable, let down)? = crash {
                crash = nil
                tell { "* cut off while writing, \(isDurable ? "durable" : "lost")" }
                if isDurable { write(batch) }
                return restart(down: down)
            }
            guard let milliseconds = disk.milliseconds else {
                write(batch)
                order.committed()
                carryOutDurable()
                continue
            }
            let wait = Int64.random(in: milliseconds, using: &random)
            agenda.add(.written, at: clock.monotonic + .milliseconds(wait))
        }
        carryOutDurable()
    }

    /// The disk has answered.
    mutating func finishWrite() {
        guard let batch = order.inFlight else { return }
        if disk.hangsUntil > clock.awake {
            liveness.forget()
            return agenda.add(.written, at: clock.monotonic + (disk.hangsUntil - clock.awake))
        }
        if disk.fails(at: clock.trueTime) {
            tell { "* the history can't be written" }
            liveness.forget()
            return agenda.add(.written, at: clock.monotonic + VirtualDisk.retry)
        }
        write(batch)
        order.committed()
        carryOutDurable()
        goOn()
        if eventsSinceCheckpoint >= world.checkpointInterval { checkpoint() }
        takeFaults()
    }

    private mutating func checkpoint() {
        eventsSinceCheckpoint = 0
        var batch = VirtualBatch()
        batch.checkpoint = state.ledger
        order.add(batch, then: nil)
        goOn()
    }

    /// Makes a batch durable.
    private mutating func write(_ batch: VirtualBatch) {
        for frame in batch.frames {
            invariants.begin(frame)
            for effect in frame.effects {
                guard let event = effect.record else { continue }
                log.append(event)
                invariants.record(event)
                trace.note(event, isKept: world.keeps?.contains(event.event) ?? true)
            }
            invariants.check(frame)
            // A decision from before the clock was set, which is durable only now, carries the old time.
            if frame.clock.timesSet != clock.timesSet { invariants.clockWasSet(clock) }
        }
        for event in batch.imported {
            log.append(event)
            invariants.record(event)
            trace.note(event, isKept: world.keeps?.contains(event.event) ?? true)
        }
        if let checkpoint = batch.checkpoint { log.write(checkpoint: checkpoint) }
        takeFaults()
    }

    private mutating func carryOutDurable() {
        if isCarryingOut { return }
        isCarryingOut = true
        let host = hosts
        while hosts == host, let frame = order.take() {
            carryOut(frame)
            guard hosts == host else { return }
            if let cancel = frame.about.cancelled { letOn(cancel) }
            invariants.carriedOut(frame)
            if frame.about.isBoot { isSighted = true }
            let isAbsence = frame.effects.contains { $0.record?.event == .absent }
            if isSighted, frame.about.isBoot || isAbsence || sightIsOld(by: frame.clock) {
                noteSight(.running, by: frame.clock)
            }
            if frame.about.isImport { handle(.wake) }
        }
        guard hosts == host else { return }
        isCarryingOut = false
        guard order.isQuiet else { return }
        invariants.check(state, durable: log.ledger, handled: trace.handled)
        checkAnswers()
    }

    private mutating func carryOut(_ frame: Frame) {
        let host = hosts
        let effects = frame.effects.filter { $0.record == nil }
        if case .amidEffects(let after, let down)? = crash, effects.count > after {
            crash = nil
            for effect in effects.prefix(after) where hosts == host { carryOut(effect, of: frame) }
            tell { "* cut off after \(after) effects" }
            if hosts == host { restart(down: down) }
            return
        }
        for effect in effects where hosts == host {
            carryOut(effect, of: frame)
            if hosts == host { effectOrder.carriedOut(effect) }
        }
    }

    /// Notes when the host was seen, as in the file `seen` of the real host.
    mutating func noteSight(_ manner: LastSeen.Manner, by clock: VirtualClock) {
        seen = LastSeen(
            boot: "\(clock.boots)", time: clock.wall, asleep: clock.asleep, host: clock.wall, manner: manner)
        sightedAt = clock.monotonic
    }

    private func sightIsOld(by clock: VirtualClock) -> Bool {
        sightedAt.map { clock.monotonic - $0 >= .minutes(1) } ?? true
    }

    /// The host is gone, with its workers and all that was not durable, and comes back.
    mutating func restart(down: Duration, off: Duration? = nil) {
        tell { "* the host is gone for \(down)\(off.map { ", the machine was off for \($0)" } ?? "")" }
        hosts += 1
        workers = [:]
        links = [:]
        asked = [:]
        virtualTransfers.hostDied(leaves: off == nil)
        agenda = Agenda()
        armed = Deadline()
        sampled = []
        order = CommitOrder()
        effectOrder = EffectOrder()
        isCarryingOut = false
        eventsSinceCheckpoint = 0
        crash = nil
        startsAgain = nil
        (isSighted, sightedAt) = (false, nil)
        if let off { clock.powerOff(for: off) }
        clock.advance(to: clock.trueTime + down)
        invariants.hostDied()
        invariants.idleness.disturbed(at: clock)
        if world.diskLies { log.forgetLastEvent() }
        let restored = log.restore()
        begin(with: restored)
        invariants.check(restored: restored, durable: log.ledger)
        boot()
    }

    /// Starts as the real host does: with its conditions, its absences, and the manifest in force.
    mutating func boot() {
        told = conditions
        about.isStarting = true
        handle(.conditionsChanged(conditions))
        if let room {
            about.isStarting = true
            handle(.diskLooked(room, isFull: false))
        }
        if !folders.isEmpty {
            about.isStarting = true
            handle(.foldersLooked(folders, isAll: true))
        }
        let missed = LastSeen.absences(since: seen, in: state.ledger, boot: "\(clock.boots)", at: now)
        for absence in missed {
            about.isStarting = true
            handle(.absent(absence))
        }
        about.isBoot = true
        handle(.manifestLoaded(manifest, stamps: manifest.virtualStamps))
        if manifest.fleet != nil { handle(.fleet(.connected)) }
    }
}

extension Manifest {
    /// A stamp changes with the app's entry; here it is the text of the entry.
    var virtualStamps: [AppIdentifier: String] {
        Dictionary(
            apps.map { app in
                let tasks = app.tasks.map { "\($0.identifier) \($0.kind) \($0.settings.text)" }
                return (app.identifier, ([app.plugin, app.settings.text] + tasks).joined(separator: " "))
            }
        ) { first, _ in first }
    }
}
