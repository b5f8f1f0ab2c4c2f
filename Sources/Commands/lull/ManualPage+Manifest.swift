import LullManifest

extension ManualPage {
    /// jobs.yaml(5), from the descriptions of each key in the reader's own tables and in the schema for editors.
    ///
    /// `settings`: those of the plugin Command, with which most manifests begin.
    static func ofManifest(_ edition: Edition, settings: SettingsSchema?) -> ManualPage {
        var lines = [
            edition.title("jobs.yaml", section: 5),
            ".SH NAME", "jobs.yaml \\- which tasks lull may run on this host, and when",
            ".SH DESCRIPTION",
        ]
        lines += prose(introduction)
        lines +=
            [".SH EXAMPLES", ".nf"] + example.split(separator: "\n").map { escaped(String($0)) } + [".fi"]
        lines += [".SH VALUES"] + prose(values)
        for place in Place.allCases where place != .included && place != .includedDefaults {
            lines.append(".SH KEYS OF \(escaped(place.title.uppercased()))")
            for key in place.keys {
                lines +=
                    [".TP", "\\fB\(escaped(key.rawValue))\\fR"]
                    + prose(key.meaning(in: place) + (key.isOptional(in: place) ? "" : " Required."))
            }
        }
        if let settings {
            lines += [".SH SETTINGS OF THE PLUGIN COMMAND"]
            lines += prose(
                "Write them for a task, or for the app and so for all its tasks. A task's own value comes first."
            )
            for setting in settings.taskSettings {
                let example = setting.example.map { " For example `\(setting.name): \($0)`." } ?? ""
                lines +=
                    [".TP", "\\fB\(escaped(setting.name))\\fR"]
                    + prose(setting.description + "." + (setting.isRequired ? " Required." : "") + example)
            }
        }
        lines += [".SH FILES"]
        lines += [".TP", ".I /etc/lull/jobs.yaml"] + prose("What the service runs.")
        lines +=
            [".TP", ".I /etc/lull/jobs.d/*.yaml"]
            + prose("More apps, read if a command is given the folder: `lull run /etc/lull`.")
        lines += [".TP", ".I ./jobs.yaml"] + prose("What commands read if no other file is given.")
        lines += [".SH SEE ALSO", ".BR lull (1),", ".BR lull\\-check (1),", ".BR lull\\-schema (1)"]
        return ManualPage(file: "jobs.yaml.5", text: lines.joined(separator: "\n") + "\n")
    }

    private static let introduction = """
        A manifest permits tasks, and says under which constraints they run. `lull check` reports everything that is \
        wrong with it at once, each problem with its line, a caret and a remedy. A running host reads it again when it \
        changes and on SIGHUP. A manifest with an error never replaces one that works, and current runs go on.

        An app inherits keys from `defaults`, and a task from its app; the nearest value counts. Inside requires, retry, \
        grace and limits, each key is inherited by itself.

        Unknown keys, duplicate keys, wrong types and files that others may write are errors. The file is UTF-8, one \
        YAML document. Anchors and aliases are allowed; tags and merge keys are not. Only true and false are booleans.
        """

    private static let example = """
        version: 1
        defaults:
          idle_after: 7d
        apps:
          com.example.ColorFeed:
            plugin: ColorFeed
            usage:
              - { log: /var/log/access.log, match: 'GET /feed', time: common }
            tasks:
              refresh: { kind: refresh, repeat: 15m }
              db_cleaning:
                kind: processing
                repeat: 7d
                requires: { external_power: true }
                windows: ["01:00-05:00", "Sat,Sun 22:00-07:00"]
        """

    private static let values = """
        Durations are a whole number and one unit: 90s, 15m, 4h, 7d, 1w. Sizes: 64KiB, 1GiB. Shares: 20%. Times of day: \
        "01:00-05:00" in the task's time zone, optionally with days before them. Identifiers are in reverse DNS; a task's \
        may leave out its app's.
        """
}

extension Place {
    /// As a heading.
    fileprivate var title: String { String(phrase.filter { $0 != "`" }) }
}

extension Key {
    fileprivate func isOptional(in place: Place) -> Bool { !isRequired(in: place) }
}
