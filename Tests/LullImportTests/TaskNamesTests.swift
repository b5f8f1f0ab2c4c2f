import Testing

@testable import LullImport

struct TaskNamesTests {
    @Test(arguments: [
        ("/usr/local/bin/backup.sh --all", "backup_sh"), ("cd /srv && ./bin/feed -x", "feed"),
        ("php -q /srv/shop/artisan schedule:run", "artisan"), ("restic backup --quiet /srv", "restic_backup"),
        ("test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }", "cron_daily"),
        ("flock -n /tmp/sync.lock nice -n 10 /opt/sync", "sync"), ("A=1 B='x y' /opt/job", "job"),
        ("sudo -n systemctl reload nginx", "systemctl_reload"),
        ("python3 -m report.hourly > /dev/null 2>&1", "report_hourly"),
        ("\"/opt/my job/run me\" x", "run_me"), ("curl -fsS https://example.org/ping", "curl"),
        ("äöü", "command"), ("&&", "command"),
        (">x", "command"),
    ])
    func `a name is that of the program that is meant`(command: String, name: String) {
        var names = TaskNames()
        #expect(names.name(for: command) == name)
    }

    @Test func `no two are the same`() {
        var names = TaskNames()
        let commands = [
            "sync.sh", "sync.sh near", "sync.sh near", "sync.sh far", "sync.sh far", "sync_sh_far",
        ]
        #expect(
            commands.map { names.name(for: $0) } == [
                "sync_sh", "sync_sh_near", "sync_sh_near_2", "sync_sh_far", "sync_sh_far_2", "sync_sh_far_3",
            ])
    }
}
