import Foundation
import LullModel
import Testing

@testable import LullManifest

/// Remedies for the calendar files that a manifest names.
extension Deed {
    /// The first problem of a manifest that names such a file; `write` makes the file in a folder.
    private static func calendar(
        _ name: String, _ write: @escaping @Sendable (String) throws -> Void,
        _ follow: @escaping @Sendable (String) throws -> Void
    ) -> Deed {
        let fix = { @Sendable (write: (String) throws -> Void) throws -> String? in
            var template = Array((NSTemporaryDirectory() + "/lull-deed-XXXXXX").utf8CString)
            try #require(mkdtemp(&template) != nil)
            let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data().write(to: URL(fileURLWithPath: folder + "/a.so"))
            try write(folder)
            let text =
                "version: 1\napps:\n  com.example.A: { plugin: ./a.so, usage: manual, tasks: { r: { kind: refresh, "
                + "except: [\"calendar:h.ics\"] } } }\n"
            return ManifestReader(pluginPath: [folder])
                .read(text: Array(text.utf8), path: folder + "/jobs.yaml").diagnostics.first?.fix
        }
        return Deed(name: name, said: { try fix(write) }, left: { try fix(follow) })
    }

    private static func lines(_ lines: String...) -> @Sendable (String) throws -> Void {
        whole(
            (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"]).joined(
                separator: "\n"))
    }

    private static func whole(_ text: String) -> @Sendable (String) throws -> Void {
        { try Data(text.utf8).write(to: URL(fileURLWithPath: $0 + "/h.ics")) }
    }

    private static let good = lines("DTSTART;VALUE=DATE:20261225")
    private static let event = "BEGIN:VEVENT\nDTSTART:20261225\nRRULE:FREQ=YEARLY\nEND:VEVENT\n"

    private static let longEvent =
        "BEGIN:VEVENT\nDTSTART:20261225\nDURATION:P365D\nRRULE:FREQ=YEARLY\nEND:VEVENT\n"

    private static func events(_ count: Int) -> @Sendable (String) throws -> Void {
        whole("BEGIN:VCALENDAR\n" + String(repeating: event, count: count) + "END:VCALENDAR\n")
    }

    static let calendars = [
        calendar("no calendar", { _ in }, good),
        calendar(
            "a folder as a calendar",
            {
                try FileManager.default.createDirectory(
                    atPath: $0 + "/h.ics", withIntermediateDirectories: false)
            },
            good),
        calendar("a pipe as a calendar", { try #require(mkfifo($0 + "/h.ics", 0o600) == 0) }, good),
        calendar(
            "everybody's calendar",
            {
                try good($0)
                try #require(chmod($0 + "/h.ics", 0o666) == 0)
            }, good),
        calendar(
            "a large calendar",
            {
                try good($0)
                try #require(truncate($0 + "/h.ics", off_t(Limits.calendarBytes + 1)) == 0)
            }, good),
        calendar(
            "a calendar in another encoding",
            { try Data([0x42, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: $0 + "/h.ics")) }, good),
        calendar("half a calendar", whole("BEGIN:VCALENDAR\n" + event), good),
        calendar("an empty calendar", whole("BEGIN:VCALENDAR\nEND:VCALENDAR\n"), good),
        calendar("many events", events(Limits.calendarRules + 1), events(Limits.calendarRules)),
        calendar(
            "long events that come again",
            whole("BEGIN:VCALENDAR\n" + String(repeating: longEvent, count: 14) + "END:VCALENDAR\n"),
            whole("BEGIN:VCALENDAR\n" + longEvent + "END:VCALENDAR\n")),
        calendar(
            "many days without an event",
            lines(
                "DTSTART:20261225",
                "EXDATE:" + Array(repeating: "20271225", count: 5001).joined(separator: ",")),
            lines("DTSTART:20261225", "EXDATE:20271225")),
        calendar("two starts", lines("DTSTART:20261225", "DTSTART:20261225"), good),
        calendar("no start", lines("SUMMARY:A"), good),
        calendar("no date", lines("DTSTART:2026-12-25"), lines("DTSTART:20261225T090000")),
        calendar("a time in UTC", lines("DTSTART:20261225T090000Z"), good),
        calendar(
            "an end in UTC", lines("DTSTART:20261225", "RRULE:FREQ=DAILY;UNTIL=20270101T045959Z"),
            lines("DTSTART:20261225", "RRULE:FREQ=DAILY;UNTIL=20261225")),
        calendar(
            "no duration", lines("DTSTART:20261225", "DURATION:1"), lines("DTSTART:20261225", "DURATION:P1D")),
        calendar(
            "an end before the start", lines("DTSTART:20261225", "DTEND:20261224"),
            lines("DTSTART:20261225", "DTEND:20261226")),
        calendar(
            "a long event", lines("DTSTART:20261225", "DTEND:20461226"),
            lines("DTSTART:20261225", "DTEND:20261226")),
        calendar(
            "a rule that is not read", lines("DTSTART:20261225", "RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1"),
            lines("DTSTART:20261225", "RRULE:FREQ=MONTHLY;BYDAY=-1FR")),
        calendar(
            "a changed occurrence", lines("DTSTART:20261225", "RECURRENCE-ID:20261225"),
            lines("DTSTART:20261225", "RRULE:FREQ=YEARLY", "EXDATE:20271225")),
    ]
}
