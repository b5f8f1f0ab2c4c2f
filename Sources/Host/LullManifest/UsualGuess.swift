import LullModel

/// Keys of cron, systemd, Kubernetes and other schedulers that people try first, and their equivalents here.
enum UsualGuess {
    enum Meaning: Equatable {
        /// Another key of the manifest.
        case key(Key)
        /// A key in the settings of the plugin Command.
        case setting(String)
        /// The way to do it here, if no key does.
        case way(String)
    }

    /// `-`, `_` and capitals do not count: `OnCalendar` is `on_calendar`.
    static func meaning(_ name: String) -> Meaning? {
        table[name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }]
    }

    /// The same for a misspelled name too: `timout`.
    static func nearMeaning(_ name: String) -> Meaning? {
        guard name.utf8.count >= 5 else { return nil }
        return meaning(name) ?? Spelling.nearest(to: name, among: words).flatMap { table[$0] }
    }

    /// The constraint that has this name elsewhere.
    static func constraint(_ name: String) -> Key? {
        switch name.lowercased().filter({ $0 != "_" && $0 != "-" }) {
        case "freedisk", "disk", "diskspace", "freespace", "space", "storage", "freediskspace", "mindisk":
            .diskFree
        case "power", "ac", "acpower", "onac", "onacpower", "charging", "plugged", "mains", "pluggedin":
            .externalPower
        case "battery", "batterylevel", "minbattery": .batteryAbove
        case "internet", "online", "net", "wifi", "unmetered", "metered", "connection": .network
        case "load", "maxload", "loadavg", "loadaverage", "cpuload": .loadBelow
        case "useridle", "idlefor", "away": .idle
        default: nil
        }
    }

    /// The figure of a run's cost that has this name elsewhere.
    static func figure(_ name: String) -> Key? {
        switch name.lowercased().filter({ $0 != "_" && $0 != "-" }) {
        case "cpu", "cputime", "cpuseconds", "time": .processor
        case "disk", "write", "writes", "byteswritten", "writtenbytes", "output": .written
        case "reads", "bytesread", "readbytes", "input": .read
        default: nil
        }
    }

    /// The key of a parameter that has this name elsewhere.
    static func param(_ name: String) -> Key? {
        switch name.lowercased().filter({ $0 != "_" && $0 != "-" }) {
        case "value", "defaultvalue", "initial", "defaults": .default
        case "regex", "regexp", "pattern", "validator", "validators", "validation": .match
        case "values", "choices", "enum", "options", "items", "allowed", "allowedvalues": .oneOf
        case "help", "label", "title", "displayname", "hint": .description
        default: nil
        }
    }

    /// The key in the settings of the plugin Command.
    static func setting(_ name: String) -> String? {
        if case .setting(let setting)? = meaning(name) { setting } else { nil }
    }

    private static let words = table.keys.filter { $0.utf8.count >= 5 }.sorted()

    private static let table: [String: Meaning] = {
        var table: [String: Meaning] = [:]
        for (meaning, words) in keys.map({ (Meaning.key($0.0), $0.1) })
            + settings.map({ (Meaning.setting($0.0), $0.1) }) + ways.map({ (Meaning.way($0.0), $0.1) })
        {
            for word in words.split(separator: " ") { table[String(word)] = meaning }
        }
        return table
    }()

    private static let keys: [(Key, String)] = [
        (
            .at,
            "cron crontab schedule schedules calendar oncalendar time times when start starttime startat runat hour "
                + "minute day days weekday weekdays dayofweek dow month date"
        ),
        (.repeat, "every interval period each frequency onunitactivesec onunitinactivesec runevery"),
        (
            .timeLimit,
            "timeout deadline maxruntime maxtime runtimemaxsec timeoutstartsec activedeadlineseconds maxduration duration "
                + "runtime runtimelimit"
        ),
        (.grace, "killafter timeoutstopsec graceperiod terminationgraceperiodseconds"),
        (.kind, "type"),
        (.timezone, "tz crontz zone"),
        (.requires, "condition conditions constraints needs require requirements onlyif"),
        (.spread, "jitter randomdelay randomizeddelaysec delay splay"),
        (.tolerance, "accuracysec accuracy slack"),
        (.enabled, "disabled active suspend suspended paused disable enable"),
        (
            .missed,
            "catchup persistent misfire misfirepolicy anacron runmissed startingdeadlineseconds misfiregracetime"
        ),
        (
            .retry,
            "retries maxretries retrycount backofflimit backoff retryafter retrydelay restart restartsec"
        ),
        (
            .notify,
            "mailto email alert alerts onfailure onerror onsuccess notifyon onfail failurenotification emailonfailure mailon "
                + "notifications"
        ),
        (.heartbeat, "healthcheck heartbeaturl ping pingurl monitor deadman"),
        (.concurrency, "maxinstances parallel parallelism"),
        (.description, "comment title summary label note notes"),
        (.user, "user runas username owner runasuser serviceuser"),
        (.windows, "window hours timewindow allowedhours businesshours"),
        (
            .except,
            "exceptions exclude excluded excludedates excludedays blackout blackouts blackoutdates holidays calendar calendars skipdates "
                + "skipdays"
        ),
        (.from, "startdate validfrom startson firstday"),
        (.until, "enddate validuntil endson lastday expires"),
        (.retention, "historylimit successfuljobshistorylimit failedjobshistorylimit keephistory"),
        (.params, "param parameters inputs options"), (.tasks, "jobs job"), (.limits, "resources limit"),
    ]

    private static let settings: [(String, String)] = [
        (
            "run",
            "run command commands cmd exec execstart script program args arguments argv entrypoint shellcommand"
        ),
        ("env", "env environment envs vars variables environ"),
        ("cwd", "cwd dir directory workdir workingdirectory workingdir chdir"),
        ("stdin", "stdin input standardinput"), ("shell", "shell executable"),
        ("success", "success exitcodes exitcode successcodes successexitstatus okcodes"),
    ]

    private static let ways: [(String, String)] = [
        (
            "write `on: { after: NAME }`: it begins when the task of that name has succeeded",
            "dependson after before dependencies depends upstream downstream then triggers follows wants"
        ),
        (
            "what a command prints is kept with its run, and `lull history` shows it; a file is written with `>> FILE` in `run`",
            "log logs output stdout stderr logfile outputfile standardoutput standarderror logto"
        ),
        (
            "a task is never run twice at once; write `concurrency: 2` if it may be",
            "concurrencypolicy overlap allowoverlap nooverlap singleton lock exclusive lockfile flock"
        ),
        (
            "write `at: \"@reboot\"` for a run after each boot of the host",
            "onbootsec onstartup onboot startup reboot onstartupsec runatload"
        ),
        ("its name is the word before the colon above it; say more in `description`", "name id identifier"),
        ("there is no such key; say it in `description`", "tags category annotations metadata"),
        (
            "a host's labels are in `fleet`, and a task requires them in `hosts`: `hosts: { labels: { role: web } }`; notes for people go into `description`",
            "labels nodeselector affinity placement"
        ),
        ("an app has its user's groups; write `user` in the app", "group groups runasgroup"),
        ("write the container's command into `run`, as `docker run IMAGE`", "image container docker"),
        (
            "leave it out where each host has a manifest of its own; in a fleet write `hosts: { labels: { role: web } }`",
            "hostname hosts node nodes runson server machine"
        ),
        ("ask in the command: `run: \"[ -e FILE ] && COMMAND\"`", "if unless creates conditionpathexists"),
        ("set it in the command: `run: \"umask 022 && COMMAND\"`", "umask"),
        (
            "the plugin Command reads it: `settings: { env_file: FILE }`",
            "envfile environmentfile dotenv"
        ),
        (
            "the plugin Command gives them to it: `settings: { secrets: { NAME: { file: FILE } } }`",
            "secret secrets credential credentials loadcredential setcredential vault"
        ),
    ]
}
