/// The errors of one database or of the settings; each message names the file and the remedy.
public enum MaintenanceError: Error, Equatable, CustomStringConvertible {
    case settings(String)
    case missing(String)
    case busy(path: String, seconds: Int)
    case damaged(path: String, finding: String)
    case damagedBackup(path: String, finding: String)
    case backupFolder(path: String, reason: String)
    case database(path: String, step: String, reason: String)
    case state(path: String, reason: String)

    public var description: String {
        switch self {
        case .settings(let finding):
            "settings of SQLiteMaintenance: \(finding)"
        case .missing(let path):
            "database \"\(path)\" is not there. Correct \"path\" in the app's settings, "
                + "or add `optional: true` if it is yet to be made."
        case .busy(let path, let seconds):
            "database \"\(path)\" was busy for \(seconds) s: another program holds its lock. "
                + "Give the task a quieter window, or raise \"busy_seconds\"."
        case .damaged(let path, let finding):
            "database \"\(path)\" is damaged: \(finding). "
                + "Restore it from a backup; none was made or removed now."
        case .damagedBackup(let path, let finding):
            "the new backup of database \"\(path)\" is damaged and was removed: \(finding). "
                + "Check the database with `integrity: full`, and the disk."
        case .backupFolder(let path, let reason):
            "backup folder \"\(path)\": \(reason). "
                + "Correct \"folder\" in the app's settings, or its permissions."
        case .database(let path, let step, let reason):
            "database \"\(path)\": \(step) failed: \(reason)."
        case .state(let path, let reason):
            "the file \"\(path)\", which says where to go on, can't be written: \(reason). See to its folder."
        }
    }
}
