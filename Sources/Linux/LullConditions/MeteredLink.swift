import LullModel

/// Whether a link costs by the byte, as far as NetworkManager's files tell.
///
/// Linux itself does not know. NetworkManager keeps which profile a link uses in `run/NetworkManager/devices`, and the
/// profile may say `metered`; its guesses (a telephone's hotspot) come over the bus alone (`SystemBus`).
enum MeteredLink {
    /// Nil: not known, which counts as unmetered.
    static func isMetered(_ link: String, roots: ConditionRoots) -> Bool? {
        guard let index = try? HostFile.number("\(roots.sysfs)/class/net/\(link)/ifindex"),
            let state = try? HostFile.text("\(roots.run)/NetworkManager/devices/\(index)"),
            let uuid = KeyFile(state)["device/connection-uuid"],
            let profile = profile(uuid, roots: roots)
        else { return nil }
        switch profile["connection/metered"] {
        case "1", "yes", "true": return true
        case "2", "no", "false": return false
        default: break
        }
        // As NetworkManager guesses: what goes through a telephone network is paid by the byte.
        switch profile["connection/type"] {
        case "gsm", "cdma", "bluetooth": return true
        default: return nil
        }
    }

    private static func profile(_ uuid: String, roots: ConditionRoots) -> KeyFile? {
        for parent in [roots.run, roots.etc] {
            let folder = parent + "/NetworkManager/system-connections"
            guard let names = try? HostFile.names(in: folder) else { continue }
            for name in names {
                guard let text = try? HostFile.text("\(folder)/\(name)") else { continue }
                let file = KeyFile(text)
                if file["connection/uuid"] == uuid { return file }
            }
        }
        return nil
    }
}
