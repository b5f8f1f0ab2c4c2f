import LullAnswers
import LullCommands
import LullModel

// The output of `lull fleet status --json` and `lull status --fleet --json`. The database's own answers have other keys,
// which hosts of several versions read.

/// `lull fleet status`.
struct FleetStatusJSON: Encodable {
    struct Task: Encodable {
        let task: TaskIdentifier
        let definitionHashes: [DefinitionHashJSON]
        let openCount: Int
        let leasedCount: Int
        let failedCount: Int
        let expiredCount: Int

        init(_ task: FleetReport.Task) {
            self.task = task.task
            definitionHashes = task.definitionHashes.map {
                DefinitionHashJSON(definitionHash: $0.definitionHash, count: $0.count, hostNames: $0.hosts)
            }
            (openCount, leasedCount) = (task.open, task.leased)
            (failedCount, expiredCount) = (task.failed, task.expired)
        }
    }

    let fleet: String
    /// By the database's clock.
    let time: String
    let schemaVersion: Int
    let hosts: [FleetHostJSON]
    let tasks: [Task]
    let rollout: FleetRolloutJSON?

    init(_ definition: FleetDefinition, _ report: FleetReport) {
        fleet = definition.name
        time = WallTime(milliseconds: report.now).rfc3339
        schemaVersion = report.version
        hosts = report.hosts.map(FleetHostJSON.init)
        tasks = report.tasks.map(Task.init)
        rollout = report.rollout.map(FleetRolloutJSON.init)
    }
}

struct FleetHostJSON: Encodable {
    let host: String
    let place: String
    let name: String
    let version: String
    let manifest: String
    let labels: [String: String]
    let agoMs: Int64
    let lives: Bool
    let stopped: Bool
    let draining: Bool
    /// The author and the reason of the drain; absent: it takes slots, or was not asked for this.
    let drain: FleetDrainJSON?
    let leaseCount: Int
    let aheadMs: Int64?
    /// The last of its events that the database has; absent: it has none, or was not asked.
    let through: Int64?
    let missingCount: Int64?

    init(_ host: FleetReport.Host) {
        (self.host, place, name, version) = (host.host, host.place, host.name, host.version)
        (manifest, labels, lives, draining) = (host.manifest, host.labels, host.lives, host.draining)
        (agoMs, stopped, leaseCount, aheadMs) = (host.ago, host.stopped, host.leases, host.ahead)
        (through, missingCount, drain) = (nil, nil, host.drain.map(FleetDrainJSON.init))
    }

    init(_ host: FleetOverview.Host) {
        (self.host, place, name, version) = (host.host, host.place, host.name, host.version)
        (manifest, labels, lives, draining) = (host.manifest, host.labels, host.lives, host.draining)
        (agoMs, stopped, leaseCount, aheadMs) = (host.ago, host.stopped, host.leases, host.ahead)
        (through, missingCount, drain) = (host.through, host.missing, nil)
    }
}

struct FleetDrainJSON: Encodable {
    let author: String?
    let reason: String?
    let agoMs: Int64
    /// Absent: until a person resumes it.
    let leftMs: Int64?

    init(_ drain: FleetDrain) {
        (author, reason, agoMs, leftMs) = (drain.by, drain.reason, drain.ago, drain.left)
    }
}

struct DefinitionHashJSON: Encodable {
    let definitionHash: String
    let count: Int
    /// Some of them.
    let hostNames: [String]
}

/// The state of the manifest that was applied last.
struct FleetRolloutJSON: Encodable {
    let number: Int64
    let hash: String
    let author: String
    let state: FleetRollout.State
    let reason: String?
    let sharePercent: Double
    let agoMs: Int64
    let leftMs: Int64?
    let currentNumber: Int64
    let followerCount: Int
    let wantedCount: Int
    let reachedCount: Int
    let behindCount: Int
    let late: [String]?
    let canaries: [String]?
    let runCount: Int
    let failedCount: Int
    let refusals: [FleetRollout.Refusal]

    init(_ rollout: FleetRollout) {
        (number, hash, author) = (rollout.number, rollout.hash, rollout.author)
        (state, reason, sharePercent) = (rollout.state, rollout.reason, rollout.share)
        (agoMs, leftMs, currentNumber) = (rollout.ago, rollout.left, rollout.current)
        (followerCount, wantedCount, reachedCount) = (rollout.followers, rollout.wanted, rollout.has)
        (behindCount, late, canaries) = (rollout.behind, rollout.late, rollout.canaries)
        (runCount, failedCount, refusals) = (rollout.runs, rollout.failed, rollout.refusals)
    }
}

/// `lull status --fleet`.
struct FleetOverviewJSON: Encodable {
    struct Difference: Encodable {
        let task: TaskIdentifier
        let definitionHashes: [DefinitionHashJSON]
    }

    let fleet: String
    let hosts: [FleetHostJSON]
    let openCount: Int
    /// By state, within a day.
    let endedCounts: [String: Int]
    let leasedSlots: [FleetSlotJSON]
    let failedSlots: [FleetSlotJSON]
    let differences: [Difference]

    init(_ status: FleetOverview, fleet: String) {
        self.fleet = fleet
        hosts = status.hosts.map(FleetHostJSON.init)
        (openCount, endedCounts) = (status.open, status.ended)
        leasedSlots = status.leased.map(FleetSlotJSON.init)
        failedSlots = status.failed.map(FleetSlotJSON.init)
        differences = status.differences.map { difference in
            Difference(
                task: difference.task,
                definitionHashes: difference.definitionHashes.map {
                    DefinitionHashJSON(
                        definitionHash: $0.definitionHash, count: $0.count, hostNames: $0.hosts)
                })
        }
    }
}
