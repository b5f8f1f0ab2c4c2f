import Testing

@testable import LullImport

struct TaskNamesTests {
    @Test(arguments: [
        ("/usr/local/bin/backup.sh --full", "backup"), ("cd /srv && ./bin/feed -x", "feed"),
        ("php -q /srv/shop/artisan schedule:run", "shop_schedule_run"),
        ("restic backup --quiet /srv", "restic_backup"),
        ("test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }", "cron_daily"),
        ("flock -n /tmp/sync.lock nice -n 10 /opt/sync", "sync"), ("A=1 B='x y' /opt/job", "job"),
        ("flock -n /run/x/cron.minutely /opt/manage-it", "manage_it"),
        ("flock -w 5 -E 0 /tmp/l /opt/sync", "sync"),
        ("sudo -n systemctl reload nginx", "systemctl_reload_nginx"), ("sudo -u www-data /opt/tidy", "tidy"),
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
        ("\"/opt/my job/run me\" x", "run_me"), ("curl -fsS https://example.org/ping", "example_ping"),
        ("flock -n /tmp/l -c '/opt/sync --all'", "sync"),
        ("flock -n /tmp/l -c 'echo one; sleep 70'", "echo_one"),
        ("cd /srv && bundle exec sidekiq", "sidekiq"), ("npx tsx scripts/seed.ts", "seed"),
        ("systemd-run --scope -p MemoryMax=1G /opt/heavy.sh", "heavy"),
        ("curl -fsS https://hc-ping.com/x/start && /opt/dump.sh && curl https://hc-ping.com/x", "dump"),
        ("pgrep -x worker > /dev/null || /srv/app/worker --daemon", "worker"),
        ("ps aux | grep -q myapp || systemctl restart myapp", "systemctl_restart_myapp"),
        ("ls /mnt/backup > /dev/null || mount /mnt/backup", "mount"), ("ls /mnt/backup > /x", "ls_backup"),
        ("systemctl is-active --quiet nginx || systemctl restart nginx", "systemctl_restart_nginx"),
        ("sh -e /opt/tidy.sh", "tidy"), ("perl -MFile::Find -e 'print 1'", "perl"),
        ("python3 -c 'x.y()'", "python3"),
        ("node /opt/monitor/server.js", "monitor_server"), ("/home/me/tool/bin/run.sh --all", "tool_run"),
        ("/usr/local/bin/check.sh", "check"), ("restic -r /srv/repo backup /home", "restic_backup"),
        ("äöü", "command"), ("&&", "command"),
        (">x", "command"),
    ])
    func `a name is that of the program that is meant`(command: String, name: String) {
        var names = TaskNames()
        #expect(names.name(for: command) == name)
    }

    @Test(arguments: [
        ("date >> /tmp/date.log", "date_log"), ("date", "date"), ("echo hello >> /tmp/x", "echo_x"),
        ("echo 3 > /proc/sys/vm/drop_caches", "echo_drop_caches"),
        ("logger 'still alive'", "logger_still_alive"),
        ("curl -fsS -m 10 https://hc-ping.com/0c8983ee-5b6b-4a5c-9b2c-123456789abc", "hc_ping"),
        ("curl -s 'https://shop.example.org/cron.php?token=abc' > /dev/null", "shop_cron"),
        ("curl -H 'X-Key: a.b' -d a=b.c api.telegram.org/bot1:K/sendMessage", "telegram_sendmessage"),
        ("curl http://127.0.0.1:8080/tick", "host_tick"),
        ("wget -q -O- http://localhost/a/b.php", "localhost_b"),
        ("cd /srv/shop && php artisan schedule:run >> /dev/null 2>&1", "shop_schedule_run"),
        ("php /var/www/nextcloud/occ files:scan --all", "nextcloud_files_scan"),
        ("/srv/site/bin/console cache:clear", "console_cache_clear"),
        ("php /srv/site/bin/console cache:clear", "site_cache_clear"),
        ("rsync -az --delete -e ssh /home/ria/tln backup@nas.local:/data/ria", "rsync_tln_to_nas"),
        ("cp /etc/hosts /backup/hosts", "cp_hosts_to_backup"), ("scp a.txt web:", "scp_a_to_web"),
        ("tar -zcf /var/backups/home.tgz /home/", "tar_home"),
        ("tar czf /var/backups/etc-$(date +%F).tar.gz /etc", "tar_etc"),
        ("tar czf \"/b/etc-$(date +%Y-%m-%d).tgz\" /etc", "tar_etc"),
        ("tar czf /b/etc-`date +%Y-%m-%d`.tgz /etc", "tar_etc"),
        ("tar czf `date +%F`.tgz /srv/shop", "tar_shop"),
        ("/srv/shop/venv/bin/python manage.py clearsessions", "shop_clearsessions"),
        ("python manage.py manage_monitoring", "manage_monitoring"),
        ("cd /srv/shop && npm run sync", "shop_sync"),
        ("mysqlcheck -u root -pX --optimize --all-databases", "mysqlcheck_all_databases"),
        ("[ $u -gt 80 ] && echo full | mail -s 'Disk Alert' a@b.c", "mail_disk_alert"),
        ("docker exec -t -u www-data nextcloud-app php occ files:scan", "nextcloud_app_occ"),
        ("docker run --rm -v /srv/le:/etc/le certbot/certbot:v2 renew", "certbot_renew"),
        ("docker run --name nightly alpine true", "nightly_true"),
        (
            "docker compose -f /srv/paperless/c.yml exec -T web document_exporter ../x",
            "web_document_exporter"
        ),
        ("docker-compose -f /srv/paperless/c.yml pull -q", "compose_paperless_pull"),
        ("docker system prune -f", "docker_system_prune"),
        ("find /var/tmp/thumbs -type f -mtime +7 -delete", "find_thumbs"),
        ("rm -rf /srv/shop/cache/*", "rm_shop_cache"),
        ("find \"$htmldir/\" -type f -delete", "find_htmldir"), ("chown -R www-data /srv/x", "chown_x"),
        ("ssh -i k backup@nas.local /volume1/bin/snap", "ssh_nas_snap"),
        ("service nginx reload", "service_nginx_reload"),
        ("mysqldump --all-databases | gzip > /b", "mysqldump_all_databases"),
        ("psql -U app -d shop -c x", "psql_shop"),
        ("sqlite3 /srv/app/shop.db VACUUM", "sqlite3_shop"), ("git -C /srv/site pull -q", "git_pull_site"),
        ("cd /srv/site && git pull", "git_pull_site"),
        ("java -jar /opt/jenkins-cli.jar build", "jenkins_cli"),
        ("nice flock -n /run/l curl https://a.example.org/", "a"),
    ])
    func `of a program that does anything a name tells what it does`(command: String, name: String) {
        var names = TaskNames()
        #expect(names.name(for: command) == name)
    }

    @Test(arguments: [
        ("Prune old docker images", "prune_old_docker_images"), ("Ping the monitor.", "ping_the_monitor"),
        ("m h  dom mon dow   command", "docker_system_prune"), ("*/5 * * * * /opt/x", "docker_system_prune"),
        ("See the ticket of last week about the disk that was full", "docker_system_prune"),
        ("MAILTO=root", "docker_system_prune"), ("-----", "docker_system_prune"),
    ])
    func `a short comment above a line names it`(comment: String, name: String) throws {
        let line = "0 3 * * * docker system prune -f\n"
        let manifest = try Samples.crontab("# \(comment)\n\(line)\n# Other\n1 1 * * * /opt/backup.sh\n")
        #expect(
            manifest.text.contains("\n      \(name.replacing("_the_", with: "_")): # crontab:2"),
            "\(manifest.text)")
        #expect(manifest.text.contains("\n      backup: # crontab:5"), "\(manifest.text)")
        let group = try Samples.crontab("# \(comment)\n\(line)\(line)")
        #expect(group.text.contains("\n      docker_system_prune: # crontab:2"), "\(group.text)")
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

    @Test func `workers of two queues are told apart by their option`() {
        var names = TaskNames()
        let lines = ["mails", "bills"].map { "php artisan queue:work --stop-when-empty --queue=\($0)" }
        #expect(lines.map { names.name(for: $0) } == ["artisan_queue_work", "artisan_queue_work_bills"])
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
