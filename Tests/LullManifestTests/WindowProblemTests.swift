import Testing

@testable import LullManifest

/// Zones and windows are named as the zone database and the calendar name them.
struct WindowProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a zone with a slip",
            task: """
                kind: refresh
                timezone: Europe/Berln
                """,
            says: """
                jobs.yaml:9:19: error: there is no time zone 'Europe/Berln'
                    9 |         timezone: Europe/Berln
                      |                   ^~~~~~~~~~~~
                help: did you mean `Europe/Berlin`?
                """),
        Case(
            "a zone with a space",
            task: """
                kind: refresh
                timezone: America/New York
                """,
            says: """
                jobs.yaml:9:19: error: there is no time zone 'America/New York'
                    9 |         timezone: America/New York
                      |                   ^~~~~~~~~~~~~~~~
                help: did you mean `America/New_York`?
                """),
        Case(
            "a zone that leads out of the database",
            task: """
                kind: refresh
                timezone: ../zones/CET
                """,
            says: """
                jobs.yaml:9:19: error: there is no time zone '../zones/CET'
                    9 |         timezone: ../zones/CET
                      |                   ^~~~~~~~~~~~
                help: write a name of the zone database, such as `Europe/Berlin`; `timedatectl list-timezones` lists them
                """),
        Case(
            "a window as text",
            task: """
                kind: refresh
                windows: 01:00-05:00
                """,
            says: """
                jobs.yaml:9:18: error: `windows` takes a list, not '01:00-05:00'
                    9 |         windows: 01:00-05:00
                      |                  ^~~~~~~~~~~
                help: write `windows: ["01:00-05:00"]`
                """),
        Case(
            "a window without an end",
            task: """
                kind: refresh
                windows: ["01:00"]
                """,
            says: """
                jobs.yaml:9:19: error: the window '01:00' has no time at which it closes
                    9 |         windows: ["01:00"]
                      |                   ^~~~~~~
                help: write when it opens and closes: `"01:00-05:00"` or `"Sat,Sun 00:00-24:00"`
                """),
        Case(
            "a window at 25:00",
            task: """
                kind: refresh
                windows: ["22:00-25:00"]
                """,
            says: """
                jobs.yaml:9:19: error: the window '22:00-25:00' has '25:00', which is not a time of day
                    9 |         windows: ["22:00-25:00"]
                      |                   ^~~~~~~~~~~~~
                help: times are from 00:00 to 24:00: `"01:00-05:00"`
                """),
        Case(
            "a window on no day",
            task: """
                kind: refresh
                windows: ["Satday 01:00-02:00"]
                """,
            says: """
                jobs.yaml:9:19: error: the window 'Satday 01:00-02:00' has 'Satday', which is not a day
                    9 |         windows: ["Satday 01:00-02:00"]
                      |                   ^~~~~~~~~~~~~~~~~~~~
                help: did you mean `Sat`?
                """),
        Case(
            "a window of the weekend",
            task: """
                kind: refresh
                windows: ["Weekend 1:00-2:00"]
                """,
            says: """
                jobs.yaml:9:19: error: the window 'Weekend 1:00-2:00' has 'Weekend', which is not a day
                    9 |         windows: ["Weekend 1:00-2:00"]
                      |                   ^~~~~~~~~~~~~~~~~~~
                help: did you mean `Sat,Sun`?
                """),
        Case(
            "a window without times",
            task: """
                kind: refresh
                windows: ["Sat,Sun"]
                """,
            says: """
                jobs.yaml:9:19: error: the window 'Sat,Sun' has no times
                    9 |         windows: ["Sat,Sun"]
                      |                   ^~~~~~~~~
                help: write when it opens and closes: `"01:00-05:00"` or `"Sat,Sun 00:00-24:00"`
                """),
        Case(
            "a window of no length",
            task: """
                kind: refresh
                windows: ["01:00-01:00"]
                """,
            says: """
                jobs.yaml:9:19: error: the window '01:00-01:00' opens and closes at the same time
                    9 |         windows: ["01:00-01:00"]
                      |                   ^~~~~~~~~~~~~
                help: write `"00:00-24:00"` for the whole day
                """),
        Case(
            "a window as a mapping",
            task: """
                kind: refresh
                windows: [ { from: 1 } ]
                """,
            says: """
                jobs.yaml:9:20: error: `windows` takes text, not a mapping
                    9 |         windows: [ { from: 1 } ]
                      |                    ^~~~~~~~~~~
                help: write, for example, `windows: ["01:00-05:00"]`
                """),
    ]
}
