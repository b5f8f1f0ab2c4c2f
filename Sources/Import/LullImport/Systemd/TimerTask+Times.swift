import LullCalendar
import LullModel

/// When a timer elapses, in the words of a manifest.
extension TimerTask {
    mutating func times() throws(ImportNote) {
        let calendar = timer.all("OnCalendar", in: "Timer")
        let again = ["OnUnitActiveSec", "OnUnitInactiveSec"].flatMap { timer.all($0, in: "Timer") }
        let once = ["OnBootSec", "OnStartupSec", "OnActiveSec"].flatMap { timer.all($0, in: "Timer") }
        if !calendar.isEmpty {
            try at(calendar, atBoot: once.first)
            for line in once.dropFirst() {
                warn(
                    line, "the task has one start: \(line.key)=\(line.value) is left out",
                    fix: "do nothing if one start is enough")
            }
            if let line = again.first {
                warn(
                    line, "a task has times or an interval, not both: \(line.key)=\(line.value) is left out",
                    fix: "make a second task with `repeat`")
            }
        } else if let line = again.first {
            try interval(again, first: line)
            for line in once {
                warn(
                    line,
                    "\(line.key)=\(line.value) is left out: `repeat` begins when the host first sees the task, and continues after a boot",
                    fix: "make a second task with `at: \"@reboot\"`, if each boot is to start it")
            }
        } else if let line = once.first {
            set("at", .text("@reboot"))
            if UnitSpan.seconds(line.value) != 0 { atOnce(line) }
        } else {
            throw ImportNote(
                .error, timer.path, line: 1, "its [Timer] has no time",
                fix: "write OnCalendar= or OnUnitActiveSec= there")
        }
        try spread()
        if let line = timer.last("WakeSystem", in: "Timer"), timer.isTrue("WakeSystem", in: "Timer") {
            warn(line, "lull does not wake a sleeping machine", fix: "let rtcwake(8) wake it before the time")
        }
    }

    private mutating func at(_ lines: [UnitFile.Line], atBoot: UnitFile.Line?) throws(ImportNote) {
        var calendars: [UnitCalendar] = []
        for line in lines {
            do throws(UnitCalendar.Fault) {
                calendars.append(try UnitCalendar(line.value, knows: machine.isZone))
            } catch {
                // A line that systemd passes over does not invalidate the others.
                if error.isSystemds, lines.count > 1 {
                    warn(line, "'\(line.value)' \(error.message)", fix: error.fix)
                    continue
                }
                throw ImportNote(
                    .error, line.path, line: line.number, "'\(line.value)' \(error.message)", fix: error.fix)
            }
        }
        let zones = calendars.map(\.zone)
        let zone = self.zone ?? zones.first ?? nil
        if Set(zones).count > 1, self.zone == nil {
            self.zone = .some(zone)
            warn(
                lines[0], "its times are in several time zones: it becomes one task for each zone",
                fix: "do nothing if two of them may run at once")
        }
        var texts: [YAMLText] = calendars.filter { $0.zone == zone }.map { .text($0.text) }
        if let line = atBoot, zone == zones.first ?? nil {
            texts.append(.text("@reboot"))
            if UnitSpan.seconds(line.value) != 0 { atOnce(line) }
        }
        guard !texts.isEmpty else {
            throw ImportNote(
                .error, lines[0].path, line: lines[0].number, "systemd accepts none of its times",
                fix: "ask `systemd-analyze calendar`, and correct them")
        }
        set("at", texts.count == 1 ? texts[0] : .list(texts))
        if let zone {
            guard machine.isZone(zone) else {
                throw ImportNote(
                    .error, lines[0].path, line: lines[0].number, "no time zone is named '\(zone)'",
                    fix: "write one such as Europe/Berlin")
            }
            set("timezone", .text(zone))
        }
        set("missed", .word(timer.isTrue("Persistent", in: "Timer") ? "one" : "skip"))
    }

    /// The zones of its times beside the first one's; each needs a task of its own.
    var furtherZones: [String?] {
        let lines = timer.all("OnCalendar", in: "Timer")
        let zones = lines.compactMap { try? UnitCalendar($0.value, knows: machine.isZone) }.map(\.zone)
        var found: [String?] = []
        for zone in zones where zone != zones.first ?? nil && !found.contains(zone) { found.append(zone) }
        return found
    }

    private mutating func interval(_ lines: [UnitFile.Line], first line: UnitFile.Line) throws(ImportNote) {
        guard let seconds = UnitSpan.seconds(line.value), seconds > 0, seconds <= 400 * 86_400 else {
            throw ImportNote(
                .error, line.path, line: line.number, "'\(line.value)' is not a span from 1s to 400d",
                fix: "write one such as `15min`")
        }
        let interval = YAMLText.word(UnitSpan.text(seconds))
        set("repeat", interval)
        // systemd starts a failed unit at its next time, neither sooner nor later.
        retry = [("first", interval), ("max", interval)]
        if line.key == "OnUnitInactiveSec" {
            warn(
                line, "`repeat` counts from the start of a run, but \(line.key) from its end",
                fix: "make `repeat` longer by the duration of a run")
        }
        if lines.count > 1 {
            warn(
                lines[1], "a task has one interval: \(lines[1].key)=\(lines[1].value) is left out",
                fix: "make a second task")
        }
    }

    private mutating func atOnce(_ line: UnitFile.Line) {
        warn(
            line, "`@reboot` is at once, but \(line.key)=\(line.value) is later",
            fix: "write `sleep` before the command, if it matters")
    }

    private mutating func spread() throws(ImportNote) {
        guard let line = timer.last("RandomizedDelaySec", in: "Timer") else { return }
        guard let seconds = UnitSpan.seconds(line.value) else {
            return warn(
                line, "'\(line.value)' is not a span",
                fix: "systemd ignores it too: write one such as `15min`")
        }
        if seconds == 0 { return }
        if timer.all("OnCalendar", in: "Timer").isEmpty {
            return warn(
                line,
                "`spread` is for times, but this has an interval: \(line.key)=\(line.value) is left out",
                fix: "write `sleep` before the command, if it matters")
        }
        set("spread", .word(UnitSpan.text(min(seconds, 86_400))))
        if seconds > 86_400 {
            warn(line, "`spread` is at most a day", fix: "choose days that differ from host to host")
        }
    }
}
