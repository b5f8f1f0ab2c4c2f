import ArgumentParser

/// `lull import`, with the subcommands as the calling program implements them.
package enum ImportGroup {
    package static func configuration(_ subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Convert crontabs or systemd timers into a manifest.",
            discussion: """
                The plugin Command runs what cron or systemd ran, at the same times and as the same users. If \
                something can't be carried over, the command reports it on standard error, with its place and \
                a remedy, and writes it as a comment into the manifest.

                What differs from cron and systemd is in the manual's page from-cron.md, which is installed in \
                share/doc/lull/docs.

                Examples:
                  crontab -l | lull import crontab - --out jobs.yaml
                  lull import crontab /etc/crontab /etc/cron.d --out jobs.yaml
                  lull import timers /etc/systemd/system
                """,
            subcommands: subcommands)
    }
}
