import LullModel
import Testing

@testable import LullConditions

struct AttendanceTests {
    private let tree = HostTree()
    private let now = WallTime(seconds: 2_000_000_000)
    private let longAgo = WallTime(seconds: 2_000_000_000 - 3600)

    private func presence(hint: IdleHint? = nil) -> Sensed<Conditions.Presence> {
        Attendance(roots: tree.roots, hint: hint, at: now).presence
    }

    private func session(_ name: String, _ text: String) {
        tree.makeFolder("run/systemd/system")
        tree.write("run/systemd/sessions/\(name)", "# This is private data. Do not parse.\n" + text)
    }

    @Test func `it is known who was asked`() {
        func source(_ hint: IdleHint? = nil) -> PresenceSource {
            Attendance(roots: tree.roots, hint: hint, at: now).source
        }
        #expect(source() == .terminals)
        #expect(source(IdleHint(isIdle: true)) == .logind)
        session("1", "CLASS=user\nTYPE=tty\n")
        #expect(source() == .sessions)
        #expect(source(IdleHint(isIdle: false)) == .logind)
    }

    @Test func `a terminal read a minute ago is somebody`() {
        tree.touch("dev/pts/0", at: longAgo)
        tree.touch("dev/tty1", at: now - .minutes(1))
        #expect(presence() == .known(.active))
    }

    @Test func `five minutes of silence are idle, since the last touch`() {
        tree.touch("dev/pts/0", at: now - .minutes(5))
        #expect(presence() == .known(.idle(since: now - .minutes(5))))
        tree.touch("dev/pts/0", at: now - .minutes(5) + .seconds(1))
        #expect(presence() == .known(.active))
    }

    @Test func `what is no terminal is not looked at`() {
        tree.touch("dev/pts/ptmx", at: now)
        tree.touch("dev/tty", at: now)
        tree.touch("dev/tty0", at: now)
        tree.touch("dev/null", at: now)
        #expect(presence() == .unknown("neither logind nor a terminal in \(tree.root)/dev"))
    }

    @Test func `a graphical session without logind is unknown, unless a terminal was touched`() {
        tree.write(
            "proc/net/unix", "Num\n0000: 00000002 00000000 00010000 0001 01 20000 @/tmp/.X11-unix/X0\n")
        tree.touch("dev/tty7", at: longAgo)
        #expect(presence() == .unknown("there is a graphical session, but no logind to ask about it"))
        tree.touch("dev/pts/3", at: now)
        #expect(presence() == .known(.active))
    }

    @Test func `a session on a terminal is as idle as the terminal`() {
        session("1", "STATE=active\nTYPE=tty\nCLASS=user\nTTY=pts/0\n")
        tree.touch("dev/pts/0", at: longAgo)
        // A terminal without a session is ignored while logind runs.
        tree.touch("dev/pts/9", at: now)
        #expect(presence() == .known(.idle(since: longAgo)))
        tree.touch("dev/pts/0", at: now)
        #expect(presence() == .known(.active))
    }

    @Test func `a graphical session is unknown where only files tell`() {
        session("c2", "STATE=active\nTYPE=wayland\nCLASS=user\nTTY=tty2\n")
        tree.touch("dev/tty2", at: longAgo)
        #expect(
            presence() == .unknown("session c2 is graphical, and logind can't be asked about it"))
    }

    @Test func `greeters, services and sessions that end are nobody`() {
        session("c1", "STATE=active\nTYPE=wayland\nCLASS=greeter\n")
        session("2", "STATE=closing\nTYPE=x11\nCLASS=user\n")
        session("3", "STATE=online\nTYPE=unspecified\nCLASS=background\n")
        session("3.ref", "")
        tree.touch("run/systemd/sessions", at: longAgo)
        #expect(presence() == .known(.idle(since: longAgo)))
    }

    @Test func `the last logout a moment ago is still somebody`() {
        session("3.ref", "")
        tree.touch("run/systemd/sessions", at: now - .seconds(20))
        #expect(presence() == .known(.active))
    }

    @Test func `a session that can't be understood is unknown`() {
        session("1", "\u{0}\u{1}garbage")
        #expect(presence() == .unknown("\(tree.root)/run/systemd/sessions/1 is not a session of logind"))
    }

    @Test func `a folder left over without systemd is not believed`() {
        tree.makeFolder("run/systemd/sessions")
        tree.touch("run/systemd/sessions", at: longAgo)
        tree.touch("dev/pts/0", at: now)
        #expect(presence() == .known(.active))
    }

    @Test func `what logind says goes before what files say`() {
        session("c2", "STATE=active\nTYPE=wayland\nCLASS=user\n")
        #expect(presence(hint: IdleHint(isIdle: true, since: longAgo)) == .known(.idle(since: longAgo)))
        #expect(presence(hint: IdleHint(isIdle: false, since: longAgo)) == .known(.active))
    }

    @Test func `logind's idle without a time is since the last session`() {
        session("3.ref", "")
        tree.touch("run/systemd/sessions", at: longAgo)
        #expect(presence(hint: IdleHint(isIdle: true, since: nil)) == .known(.idle(since: longAgo)))
    }

    @Test func `a clock set back is not idleness`() {
        tree.touch("dev/pts/0", at: now + .hours(1))
        #expect(presence() == .known(.active))
    }
}
