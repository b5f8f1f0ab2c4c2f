import ArgumentParser

/// `lull import`, with the commands below it as the program that asks has them.
package enum ImportGroup {
    package static func configuration(_ subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Make a manifest of crontabs or systemd timers.",
            discussion: """
                The plugin Command runs what cron or systemd ran, at the same times and as the same users. What can't be \
                carried over is reported on standard error, with its place and a remedy, and stands as a comment in the \
                manifest.

                Examples:
                  crontab -l | lull import crontab - --out jobs.yaml
                  lull import crontab /etc/crontab /etc/cron.d --out jobs.yaml
                  lull import timers /etc/systemd/system
                """,
            subcommands: subcommands)
    }
}
