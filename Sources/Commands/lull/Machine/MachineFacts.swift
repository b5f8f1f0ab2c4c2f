import LullConditions
import LullModel
import LullSystem
import LullWorkers

/// What this machine is and has, of what a host may need: facts alone, which `MachineFindings` judges.
struct MachineFacts: Equatable {
    /// Who the host would be, which is who runs this command.
    var user: String
    /// Whether systemd is the machine's service manager.
    var hasSystemd: Bool
    /// Whether a host runs on this state; `groups` are its own then.
    var isHostRunning: Bool
    /// Nil: no control groups of version 2 are mounted.
    var groups: GroupSight?
    var enforcement: Enforcement
    /// Whether the kernel tells of pressure (PSI).
    var hasPressure: Bool
    var presence: Sensed<Conditions.Presence>
    var presenceSource: PresenceSource?
    /// Nil: the kernel does not tell of it.
    var instances: Amount?
    var watches: Amount?
    var now: WallTime
    var isClockSynchronised: Bool
    /// Whether the machine says in which zone it is.
    var hasZone: Bool
    /// Where the state is, or would be.
    var state: String
    /// Why it can't be used; nil: it can.
    var stateTrouble: Trouble?
    /// Free there; nil: its file system does not tell.
    var room: DiskRoom?
    /// Files that a process may have open; nil: any number.
    var descriptors: Int?
    /// What is wrong with these, each with its remedy; nil: nothing.
    var fleetTrouble: Trouble?
    var brokerTrouble: Trouble?
    var transferTrouble: Trouble?
    var pageTrouble: Trouble?

    /// Of something that the kernel limits for each user.
    struct Amount: Equatable {
        var most: Int
        /// By this user, without the host of this state.
        var used = 0
        var left: Int { max(0, most - used) }
    }

    /// Sentences.
    struct Trouble: Equatable {
        var message: String
        var fix: String?
    }
}
