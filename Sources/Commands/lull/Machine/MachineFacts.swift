import LullConditions
import LullModel
import LullSystem
import LullWorkers

/// The facts about this machine that a host may depend on; `MachineFindings` judges them.
struct MachineFacts: Equatable {
    /// The user that the host would run as, which is the user of this command.
    var user: String
    /// Whether systemd is the machine's service manager.
    var hasSystemd: Bool
    /// Whether a host runs on this state; `groups` are then that host's.
    var isHostRunning: Bool
    /// Nil: no control groups of version 2 are mounted.
    var groups: GroupSight?
    var enforcement: Enforcement
    /// Whether the kernel reports pressure (PSI).
    var hasPressure: Bool
    var presence: Sensed<Conditions.Presence>
    var presenceSource: PresenceSource?
    /// Nil: the kernel does not report it.
    var instances: Amount?
    var watches: Amount?
    var now: WallTime
    var isClockSynchronised: Bool
    /// Whether the machine names its time zone.
    var hasZone: Bool
    /// Where the state is, or would be.
    var state: String
    /// Why it can't be used; nil: it can.
    var stateTrouble: Trouble?
    /// The free space there; nil: its file system does not report it.
    var room: DiskRoom?
    /// Files that a process may have open; nil: any number.
    var descriptors: Int?
    /// Problems with these, each with its remedy; nil: none.
    var fleetTrouble: Trouble?
    var brokerTrouble: Trouble?
    var transferTrouble: Trouble?
    var pageTrouble: Trouble?

    /// An amount that the kernel limits for each user.
    struct Amount: Equatable {
        var most: Int
        /// In use by this user, without the host of this state.
        var used = 0
        var left: Int { max(0, most - used) }
    }

    /// Sentences.
    struct Trouble: Equatable {
        var message: String
        var fix: String?
    }
}
