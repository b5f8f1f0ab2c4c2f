import LullCalendar
import LullModel
import Testing

/// A faulty time is reported with the faulty characters and a text to write instead.
struct AtFaultTests {
    @Test(arguments: [
        ("", "", "is empty"),
        ("30 25 * * *", "25", "has '25' as the hour, which is a number from 0 to 23"),
        ("60 2 * * *", "60", "has '60' as the minute, which is a number from 0 to 59"),
        ("0 2 0 * *", "0", "has '0' as the day of the month, which is a number from 1 to 31"),
        (
            "0 2 * Foo *", "Foo",
            "has 'Foo' as the month, which is a number from 1 to 12 or a name from Jan to Dec"
        ),
        (
            "0 2 * * 8", "8",
            "has '8' as the day of the week, which is a number from 0 to 7 or a name from Sun to Sat"
        ),
        (
            "0 2 * * Mon-", "-",
            "has '' as the day of the week, which is a number from 0 to 7 or a name from Sun to Sat"
        ),
        ("0,,5 2 * * *", ",", "has '' as the minute, which is a number from 0 to 59"),
        ("*/0 2 * * *", "0", "has the step '0', and a step is a whole number from 1"),
        ("*/ 2 * * *", "/", "has the step '', and a step is a whole number from 1"),
        ("5/15 2 * * *", "5/15", "has a step but no range in '5/15'"),
        ("0 22-2 * * *", "22-2", "has the range '22-2', which ends before it begins"),
        ("6~15 2 * * *", "6~15", "has '6~15', a random time, which would change with every reading"),
        (
            "30 2 * *", "30 2 * *",
            "has 4 fields, and a cron expression has five: minute, hour, day of the month, month, day of the week"
        ),
        ("0 30 2 * * *", "0", "has '0' beside the five fields of a cron expression"),
        ("30 2 * * * /opt/x a", "/opt/x a", "has '/opt/x a' beside the five fields of a cron expression"),
        ("30 2 31 2 *", "31", "names a date that no year has"),
        ("*-02-30 04:00", "*-02-30 04:00", "names a date that no year has"),
        ("@dayly", "@dayly", "has the word '@dayly', which names no times"),
        ("@every 5m", "@every 5m", "has '@every', which is an interval, not a time of the clock"),
        ("@daily 02:30", "02:30", "has '02:30' where nothing is expected"),
        ("dayly 02:30", "dayly", "has the word 'dayly', which names no times"),
        ("daily 2:3", "2:3", "has '2:3', which is not a time of day"),
        ("daily 24:00", "24", "has '24:00', which is not a time of day"),
        ("daily 2pm", "daily 2pm", "is in words that `at` does not know"),
        ("Mno 08:30", "Mno", "has 'Mno', which is not a day"),
        ("weekly 04:00", "weekly", "does not say on which day of the week"),
        ("monthly 32 04:00", "32", "has '32', which is not a date"),
        ("2026-12-24 18:00", "2026", "has the year '2026', but times come every year"),
        ("*-*-* 08:30:15", "15", "has seconds in '08:30:15', but times are whole minutes"),
        (
            "Mon..Fri 08:30 Europe/Berlin", "Europe/Berlin",
            "ends in 'Europe/Berlin', as if in a time zone of its own"
        ),
        ("every 5 minutes", "every 5 minutes", "is an interval, not a time of the clock"),
        ("💥 2 * * *", "💥", "has '💥', which is not a date"),
    ])
    func `each is a sentence about characters`(_ text: String, _ meant: String, _ message: String) {
        do throws(AtFault) {
            _ = try ExactTimes(text)
            Issue.record("'\(text)' was taken")
        } catch {
            #expect(error.message == message)
            #expect(!error.fix.isEmpty)
            let scalars = Array(text.unicodeScalars)
            #expect(error.range.upperBound <= scalars.count)
            var shown = String.UnicodeScalarView()
            shown.append(contentsOf: scalars[error.range])
            #expect(String(shown) == meant)
        }
    }

    @Test(arguments: [
        ("5/15 2 * * *", "write `5-59/15`"), ("0 22-2 * * *", "write `22-23,0-2`"),
        ("0 2 * * 5-1", "write `5-6,0-1`"), ("0 22-2/2 * * *", "write `22-23/2,0-2/2`"),
        ("@dayly", "did you mean `@daily`?"), ("dayly 02:30", "did you mean `daily`?"),
        ("Mou 08:30", "did you mean `Mon`?"),
        (
            "0 4 * * 1 UTC",
            "write `0 4 * * 1` alone: the command belongs in the task's settings, a zone in `timezone`; seconds and years are not supported"
        ),
        ("every day at 4 pm", "write `daily 16:00`"), ("noon", "write `daily 12:00`"),
        ("4:30am", "write `daily 04:30`"), ("weekends at 8", "write `Sat,Sun 08:00`"),
        ("mondays at 12 am", "write `Mon 00:00`"), ("every 2 hours", "write `repeat: 2h` in place of `at`"),
        ("0 0 ? * *", "write `*`"),
        ("02:30 UTC", "leave it out, and write `timezone: UTC` beside `at`"),
    ])
    func `each has a remedy`(_ text: String, _ fix: String) {
        #expect(throws: AtFault.self) { try ExactTimes(text) }
        do throws(AtFault) { _ = try ExactTimes(text) } catch { #expect(error.fix == fix) }
    }

    /// No text makes the reader trap.
    @Test func `random characters are taken or refused with a place in them`() {
        var generator = SeededGenerator(seed: 20_261_121)
        let alphabet = Array("0123456789*/-,.:~@ \tMonlasty_5".unicodeScalars)
        for _ in 0..<20_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...16, using: &generator) {
                view.append(alphabet.randomElement(using: &generator) ?? " ")
            }
            let text = String(view)
            do throws(AtFault) {
                let times = try ExactTimes(text)
                _ = times.next(after: WallTime(seconds: 1_800_000_000), in: .utc)
            } catch {
                #expect(error.range.upperBound <= text.unicodeScalars.count, "\(text)")
                #expect(!error.message.isEmpty && !error.fix.isEmpty)
            }
        }
    }
}
