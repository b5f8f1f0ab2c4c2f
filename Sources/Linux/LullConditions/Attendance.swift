import LullModel

/// Whether somebody is at the host, and where that was seen.
///
/// Asked in this order: logind's own hint; the terminals of logind's sessions; all terminals. The files do not show the
/// use of a graphical session, so where there are only files its presence is unknown, never idle.
struct Attendance: Equatable {
    let presence: Sensed<Conditions.Presence>
    /// The source that was asked.
    let source: PresenceSource
    /// The terminals on which a returning user would type.
    let terminals: [String]

    /// Touched within this time, a host is in use.
    static let idleAfter: Duration = .minutes(5)

    init(roots: ConditionRoots, hint: IdleHint?, at now: WallTime) {
        let sources: (touches: Touches, whenUntouched: Sensed<WallTime>)
        let sessions = roots.run + "/systemd/sessions"
        // The folder alone may be left over in a container's image; `system` is there only while systemd
        // runs.
        if HostFile.exists(roots.run + "/systemd/system"), let names = try? HostFile.names(in: sessions) {
            sources = Self.ofSessions(names, in: sessions, dev: roots.dev)
            source = hint == nil ? .sessions : .logind
        } else {
            sources = Self.ofTerminals(roots)
            source = hint == nil ? .terminals : .logind
        }
        terminals = sources.touches.terminals
        if let hint {
            let since = hint.since ?? sources.whenUntouched.value ?? .distantPast
            presence = .known(hint.isIdle ? .idle(since: min(since, now)) : .active)
        } else if let touched = sources.touches.last, now - touched < Self.idleAfter {
            presence = .known(.active)
        } else if let obstacle = sources.touches.obstacle {
            presence = .unknown(obstacle)
        } else {
            presence =
                switch sources.touches.last.map({ .known($0) }) ?? sources.whenUntouched {
                case .known(let since): .known(now - since < Self.idleAfter ? .active : .idle(since: since))
                case .unknown(let why): .unknown(why)
                }
        }
    }

    private static func ofSessions(_ names: [String], in folder: String, dev: String) -> (
        Touches, Sensed<WallTime>
    ) {
        var touches = Touches()
        // Beside each session's file lies a pipe, `N.ref`.
        for name in names where !name.contains(".") {
            guard let text = try? HostFile.text("\(folder)/\(name)") else {
                // It ended between the listing and the reading, or it is not ours to read.
                if HostFile.exists("\(folder)/\(name)") { touches.obstacle = "can't read \(folder)/\(name)" }
                continue
            }
            let session = KeyFile(text)
            guard session["CLASS"] != nil || session["TYPE"] != nil else {
                touches.obstacle = "\(folder)/\(name) is not a session of logind"
                continue
            }
            guard session["STATE"] != "closing", session["CLASS"]?.hasPrefix("user") ?? true else { continue }
            switch session["TYPE"] {
            case "x11", "wayland", "mir":
                touches.obstacle =
                    "session \(name) is graphical, and logind can't be asked about it"
            default:
                if let terminal = session["TTY"] { touches.touch("\(dev)/\(terminal)") }
            }
        }
        // Nobody is logged in: the folder changed when the last one left.
        let left = (try? HostFile.stamps(folder).modified).map { WallTime(seconds: $0) }
        return (touches, left.map { .known($0) } ?? .unknown("can't read \(folder)"))
    }

    private static func ofTerminals(_ roots: ConditionRoots) -> (Touches, Sensed<WallTime>) {
        var touches = Touches()
        let consoles = ((try? HostFile.names(in: roots.dev)) ?? []).filter { name in
            ["tty", "ttyS", "ttyAMA", "hvc"].contains { prefix in
                name.hasPrefix(prefix) && Int(name.dropFirst(prefix.count)) != nil
                    // tty0 is whichever console is in front.
                    && name != "tty0"
            }
        }
        let pseudo = ((try? HostFile.names(in: roots.dev + "/pts")) ?? []).filter { Int($0) != nil }
        for name in consoles + pseudo.map({ "pts/" + $0 }) { touches.touch("\(roots.dev)/\(name)") }
        let sockets = (try? HostFile.text(roots.procfs + "/net/unix")) ?? ""
        if sockets.contains("/.X11-unix/X") || sockets.contains("/wayland-") {
            touches.obstacle = "there is a graphical session, but no logind to ask about it"
        }
        return (touches, .unknown("neither logind nor a terminal in \(roots.dev)"))
    }
}

/// The source that shows whether somebody is at the host.
public enum PresenceSource: Sendable, Equatable {
    /// logind's own hint, over the system's bus.
    case logind
    /// The terminals of logind's sessions.
    case sessions
    /// All terminals.
    case terminals
}

/// logind's idle hint for the whole host.
struct IdleHint: Equatable {
    var isIdle: Bool
    var since: WallTime?
}

/// The latest touch of some terminals, by the time that each was last read.
private struct Touches {
    var terminals: [String] = []
    var last: WallTime?
    /// Why the terminals alone can't tell that nobody is there.
    var obstacle: String?

    mutating func touch(_ path: String) {
        do throws(Unreadable) {
            let touched = WallTime(seconds: try HostFile.stamps(path).accessed)
            terminals.append(path)
            last = max(last ?? touched, touched)
        } catch {
            // A terminal that is gone is nobody's.
            if !error.isMissing { obstacle = error.reason }
        }
    }
}
