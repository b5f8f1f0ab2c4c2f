import Testing

@testable import LullImport

struct TaskNamesTests {
    @Test(arguments: [
        ("/usr/local/bin/backup.sh --full", "backup"), ("cd /srv && ./bin/feed -x", "feed"),
        ("php -q /srv/shop/artisan schedule:run", "artisan"), ("restic backup --quiet /srv", "restic_backup"),
        ("test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }", "cron_daily"),
        ("flock -n /tmp/sync.lock nice -n 10 /opt/sync", "sync"), ("A=1 B='x y' /opt/job", "job"),
        ("flock -n /run/x/cron.minutely /opt/manage-it", "manage_it"),
        ("flock -w 5 -E 0 /tmp/l /opt/sync", "sync"),
        ("sudo -n systemctl reload nginx", "systemctl_reload"), ("sudo -u www-data /opt/tidy", "tidy"),
        ("su - deploy -c '/opt/tidy --all'", "tidy"), ("sh -c 'cd / && /opt/tidy'", "tidy"),
        ("timeout -k 5 1h ionice -c 3 nice /opt/tidy", "tidy"), ("env -u A B=c chronic /opt/tidy", "tidy"),
        ("[ -x /opt/tidy ] && if [ ! -d /run/x ]; then /opt/tidy --now; fi", "tidy"),
        ("/usr/bin/test -x /usr/bin/tidy && /usr/bin/tidy", "tidy"),
        ("command -v tidy > /dev/null && tidy 1 1", "tidy"),
        (
            "test -x /usr/bin/tidy -a \\! -d /run/x && perl -e 'sleep int(rand(9))' && tidy -q renew",
            "tidy_renew"
        ),
        ("htmldir=$({ cat /etc/x | sed -n 's/a b/c/p'; }); tidy \"$htmldir\"", "tidy"),
        ("{ [ -r \"$F\" ] && . \"$F\" ; nice -n$N /opt/tidy -q ; }", "tidy"),
        ("python3 -m report.hourly > /dev/null 2>&1", "report_hourly"),
        ("php -f /var/www/nextcloud/cron.php", "nextcloud_cron"), ("echo hello", "echo_hello"),
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
            "sync.sh", "sync.sh near", "sync.sh near", "sync.sh far", "sync.sh far", "sync_far",
        ]
        #expect(
            commands.map { names.name(for: $0) } == [
                "sync", "sync_near", "sync_near_2", "sync_far", "sync_far_2", "sync_far_3",
            ])
    }

    @Test(arguments: [
        ("certbot", ["perl -e 'sleep 9' && certbot -q renew"], ["certbot"]),
        (
            "e2scrub_all", ["A=1 /usr/lib/e2scrub_all_cron", "A=1 /sbin/e2scrub_all -A"],
            ["e2scrub_all_cron", "e2scrub_all"]
        ),
        ("sysstat", ["debian-sa1 1 1", "debian-sa1 60 2"], ["sysstat", "sysstat_2"]),
        (
            "amavisd-new", ["/usr/sbin/cronjob sa-sync", "/usr/sbin/cronjob sa-clean"],
            ["amavisd_new_sa_sync", "amavisd_new_sa_clean"]
        ),
        (
            "munin", ["/usr/bin/munin-cron", "/usr/share/munin-limits --force"],
            ["munin_cron", "munin_limits"]
        ),
        ("web", ["/a/manage.py runjobs hourly", "/a/manage.py runjobs daily"], ["web_hourly", "web_daily"]),
    ])
    func `a line of cron.d is named after its file`(file: String, commands: [String], expected: [String]) {
        var names = TaskNames()
        let candidates = FileNames.candidates(file: file, lines: commands.map { ("0 0 * * *", $0) })
        #expect(candidates.map { names.unique($0) } == expected)
    }
}
