/// Keys that people try first, as other schedulers have them, and what is meant here.
enum UsualGuess {
    /// The task's own key for it.
    static func key(_ name: String) -> Key? {
        switch name.lowercased() {
        case "cron", "crontab", "schedule", "schedules", "calendar", "on_calendar", "oncalendar", "time",
            "times",
            "when":
            .at
        case "every", "interval", "period", "each", "frequency": .repeat
        case "timeout", "max_runtime", "deadline": .timeLimit
        case "type": .kind
        case "tz", "time_zone": .timezone
        case "condition", "conditions", "constraints", "needs": .requires
        case "jitter", "random_delay", "randomizeddelaysec": .spread
        case "disabled", "active": .enabled
        case "catchup", "catch_up", "persistent": .missed
        case "mailto", "email", "alert", "alerts": .notify
        default: nil
        }
    }

    /// The key in the settings of the plugin Command.
    static func setting(_ name: String) -> String? {
        switch name.lowercased() {
        case "run", "command", "commands", "cmd", "exec", "execstart", "script", "program": "run"
        case "env", "environment": "env"
        case "cwd", "dir", "directory", "workdir", "working_directory", "workingdirectory": "cwd"
        case "stdin": "stdin"
        case "shell": "shell"
        default: nil
        }
    }
}
