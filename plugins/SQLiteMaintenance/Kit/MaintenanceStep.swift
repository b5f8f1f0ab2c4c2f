/// One kind of care for a database, in the order in which they are taken.
///
/// The check comes first: a database that fails it gets no further step, so that a damaged one is never
/// copied over good backups.
public enum MaintenanceStep: String, Codable, Sendable, CaseIterable {
    case check, backup, optimize, vacuum
}
