"""A host that took over a server's crontabs: sixty tasks in six apps, with four days of history; some fail and some wait."""

import datetime

import showcase

# Name, cron expression, command, duration in seconds.
TASKS = {
    "com.example.Crontab": [
        ("certbot_renew", "12 3,15 * * *", "certbot -q renew", 6), ("apt_daily", "20 6 * * *", "/usr/lib/apt/apt.systemd.daily update", 40),
        ("logrotate", "25 6 * * *", "/usr/sbin/logrotate /etc/logrotate.conf", 4), ("man_db", "40 6 * * *", "mandb --quiet", 30),
        ("updatedb", "5 4 * * *", "updatedb.plocate", 70), ("fstrim", "0 5 * * 1", "fstrim --all", 20),
        ("smartctl_short", "15 2 * * *", "smartctl -t short /dev/sda", 2), ("smartctl_long", "15 2 * * 6", "smartctl -t long /dev/sda", 2),
        ("mdadm_checkarray", "57 0 * * 0", "/usr/share/mdadm/checkarray --cron --all --quiet", 3), ("sysstat_summary", "53 23 * * *", "sa2 -A", 2),
        ("sysstat_collect", "*/10 * * * *", "sa1 1 1", 1), ("exim_tidydb", "30 5 * * *", "exim_tidydb /var/spool/exim4 retry", 1),
        ("popularity_contest", "9 7 * * *", "popularity-contest --crond", 3), ("e2scrub_all", "10 3 * * 0", "e2scrub_all -A -r", 90),
        ("dpkg_backup", "35 6 * * *", "/usr/libexec/dpkg/dpkg-db-backup", 1), ("clean_tmp", "50 4 * * *", "find /srv/tmp -mtime +7 -delete", 2),
    ],
    "com.example.Backups": [
        ("borg_home", "30 1 * * *", "borg create ::home-{now} /home", 1420), ("borg_etc", "10 1 * * *", "borg create ::etc-{now} /etc", 12),
        ("borg_prune", "0 4 * * *", "borg prune --keep-daily 7", 55), ("borg_check", "0 3 * * 0", "borg check", 3600),
        ("pg_dump_shop", "45 0 * * *", "pg_dump -Fc shop -f /srv/backup/shop.dump", 210), ("pg_dump_wiki", "50 0 * * *", "pg_dump -Fc wiki -f /srv/backup/wiki.dump", 33),
        ("mysqldump_forum", "55 0 * * *", "mysqldump --single-transaction forum", 65), ("rsync_offsite", "0 5 * * *", "rsync -a /srv/backup/ offsite:/backup/", 840),
        ("snapshot_rotate", "5 * * * *", "btrfs-snapshot-rotate /srv", 1), ("restic_photos", "30 2 * * *", "restic backup /srv/photos", 320),
    ],
    "com.example.Shop": [
        ("queue_worker", "*/5 * * * *", "php artisan queue:work --stop-when-empty", 3), ("sitemap", "20 4 * * *", "php artisan sitemap:generate", 14),
        ("cart_reminders", "0 9 * * *", "php artisan carts:remind", 5), ("currency_rates", "7 * * * *", "php artisan rates:fetch", 1),
        ("stock_import_from_supplier_northwind", "15 5 * * *", "php artisan stock:import northwind", 95),
        ("stock_import_from_supplier_contoso", "45 5 * * *", "php artisan stock:import contoso", 80), ("invoices_monthly", "0 6 1 * *", "php artisan invoices:send", 30),
        ("search_reindex", "0 3 * * *", "php artisan scout:import", 410), ("sessions_gc", "17 * * * *", "php artisan session:gc", 1),
        ("newsletter", "0 10 * * 2", "php artisan newsletter:send", 60), ("thumbnails", "40 * * * *", "php artisan media:thumbs", 8),
        ("refunds", "*/15 * * * *", "php artisan refunds:sync", 1),
    ],
    "com.example.Monitoring": [
        ("disk_usage_mail", "0 7 * * *", "df -h | mail -s disks ops", 1), ("probe_website", "*/5 * * * *", "curl -fsS https://shop.example/health", 1),
        ("ssl_expiry", "0 8 * * *", "check-ssl shop.example 14", 2), ("fail2ban_report", "5 7 * * *", "fail2ban-client status", 1),
        ("awstats", "10 * * * *", "awstats.pl -config=shop -update", 9), ("goaccess", "30 6 * * *", "goaccess /var/log/nginx/access.log -o /srv/www/stats.html", 22),
        ("rkhunter", "25 4 * * *", "rkhunter --cronjob", 130), ("lynis", "30 4 * * 3", "lynis audit system --cronjob", 170),
        ("dns_zone_check", "35 * * * *", "named-checkzone example /etc/bind/db.example", 1), ("ntp_drift", "55 * * * *", "chronyc tracking", 1),
    ],
    "com.example.Media": [
        ("podcast_fetch", "20 */4 * * *", "greg sync", 25), ("transcode", "0 1 * * *", "transcode-queue", 2600), ("library_scan", "30 3 * * *", "beet update", 44),
        ("photo_faces", "0 2 * * *", "digikam-faces", 600), ("subtitles", "45 3 * * *", "subliminal download /srv/video", 18),
        ("cover_art", "50 3 * * 5", "beet fetchart", 9),
    ],
    "com.example.Mailman": [
        ("checkdbs", "0 8 * * *", "checkdbs", 1), ("disabled", "0 9 * * *", "disabled", 1), ("senddigests", "0 12 * * *", "senddigests", 3),
        ("mailpasswds", "0 5 1 * *", "mailpasswds", 2), ("gate_news", "*/30 * * * *", "gate_news", 1), ("nightly_gzip", "27 3 * * *", "nightly_gzip", 2),
    ],
}
FAILS = {
    "rsync_offsite": ("the command exited with code 255", ["ssh: connect to host offsite.example port 22: Connection timed out",
        "rsync: connection unexpectedly closed (0 bytes received so far) [sender]", "rsync error: unexplained error (code 255) at io.c(228) [sender=3.2.7]"]),
    "pg_dump_shop": ("the command exited with code 1", ['pg_dump: error: connection to server at "db1" (10.0.0.7), port 5432 failed: FATAL:  password authentication failed for user "backup"']),
    "stock_import_from_supplier_northwind": ("the command exited with code 1", ["  [Illuminate\\Http\\Client\\ConnectionException]", "  cURL error 28: Operation timed out after 30001 milliseconds"]),
}
# These tasks need power and wait for it all night: the machine is a laptop under somebody's desk.
WAITS = {"transcode": "external_power", "photo_faces": "external_power"}


def manifest(plugins):
    lines = ["version: 1", "apps:"]
    for app, tasks in TASKS.items():
        lines += [f"  {app}:", f"    plugin: {plugins}/libCommand.so", "    user: host", "    idle_after: never", "    concurrency: 4", "    tasks:"]
        for name, at, command, _ in tasks:
            power = "true" if name in WAITS else "false"
            lines.append(f'      {name}: {{ kind: processing, at: "{at}", missed: skip, description: "{command}", '
                         f'requires: {{ idle: false, external_power: {power} }}, settings: {{ run: ["/bin/true"] }} }}')
    return "\n".join(lines) + "\n"


def field(text, start, end):
    values = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        low, high = (start, end) if span == "*" else (int(span), int(span))
        values |= set(range(low, high + 1, int(step or 1)))
    return values


def times(at, day):
    """The times of a cron expression on one day."""
    minutes, hours, dates, _, weekdays = at.split()
    if dates != "*" and day.day not in field(dates, 1, 31):
        return []
    if weekdays != "*" and day.isoweekday() % 7 not in field(weekdays, 0, 6):
        return []
    return [day.replace(hour=hour, minute=minute) for hour in sorted(field(hours, 0, 23)) for minute in sorted(field(minutes, 0, 59))]


def days(now):
    """Four days of history, until now."""
    n = showcase.Night(now.replace(hour=0, minute=0, second=0, microsecond=0))
    for day in range(-4, 1):
        for app, tasks in TASKS.items():
            for name, at, _, seconds in tasks:
                for time in times(at, n.at(24 * day)):
                    # The host's start would have interrupted a run that is still under way.
                    if time + datetime.timedelta(seconds=2 * seconds) >= now:
                        break
                    due(n, app, name, time, seconds, day)
    n.add(n.at(-16), "launched", "com.example.Backups", "borg_etc", run=n.next_run(), kind="processing", origin="operator",
          reason="by hand")
    n.add(n.at(-16, 0, 12), "completed", "com.example.Backups", "borg_etc", run=n.run, outcome="succeeded", ms=12000)
    return n


def due(n, app, name, time, seconds, day):
    stamp = showcase.stamp(time)
    request = n.submit(time, app, name, origin="at")
    if name in WAITS and day >= -1:
        n.defer(time, app, name, [WAITS[name]], "external_power: the host runs on battery, and the task requires external power")
        return
    outcome, reason = "succeeded", "the command exited with code 0"
    # The database's password was changed two days ago; other failures occur now and then.
    if name in FAILS and (day >= -2 or (time.day + seconds) % 3 == 0):
        sentence, lines = FAILS[name]
        outcome, reason = "failed", sentence + "; it printed last: " + "\n".join(lines)
    n.ran(time, app, name, seconds * (0.8 + (time.day * 7 + time.hour) % 5 / 10), outcome, reason, request=request, occurrence={"time": stamp})


class Crowd(showcase.Showcase):
    def manifest(self, plugins):
        return manifest(plugins)

    def history(self, now):
        return days(now)
