public import LullSystem

/// Reports logins, from the file that logind writes for each session.
public final class Logins {
    private let folder: String
    private let events: FileEvents
    private let came: (String) -> Void
    private var token: FileEvents.Token?
    private var known: Set<String>

    /// Nil where no logind keeps sessions.
    public init?(roots: ConditionRoots, events: FileEvents, came: @escaping (String) -> Void) {
        folder = roots.run + "/systemd/sessions"
        self.events = events
        self.came = came
        guard Self.isKept(roots), let names = try? HostFile.names(in: folder) else { return nil }
        known = Set(names)
        token = try? events.watch(folder, for: [.written, .names], isFolder: true) { [unowned self] _, _ in
            look()
        }
        guard token != nil else { return nil }
    }

    /// Whether there is a logind that keeps sessions.
    public static func isKept(_ roots: ConditionRoots) -> Bool {
        HostFile.exists(roots.run + "/systemd/sessions") && HostFile.exists(roots.run + "/systemd/system")
    }

    deinit { events.forget(token) }

    private func look() {
        guard let names = try? HostFile.names(in: folder) else { return }
        let here = Set(names)
        known.formIntersection(here)
        for name in names.sorted() where !name.contains(".") && !known.contains(name) {
            // It is written under another name first, and whole once it has its own.
            guard let text = try? HostFile.text("\(folder)/\(name)") else { continue }
            known.insert(name)
            let session = KeyFile(text)
            guard session["STATE"] != "closing", session["CLASS"].map({ $0 == "user" }) ?? true else {
                continue
            }
            came(session["USER"] ?? "")
        }
    }
}
