"""A host that took over one crontab this morning, for tests of a newcomer's first look: thirty lines, six hours of history.

Two tasks fail, one waits for its first run, one was skipped and then launched by hand, one is disabled."""

import datetime
import getpass
import os

import crowd
import showcase

# Name, cron expression, duration in seconds.
LINES = [
    ("probe_website", "*/5 * * * *", 1), ("collect_load", "*/10 * * * *", 1), ("sync_orders", "*/15 * * * *", 2),
    ("gate_news", "*/30 * * * *", 1), ("session_gc", "17 * * * *", 1), ("fetch_rates", "7 * * * *", 1), ("thumbnails", "40 * * * *", 8),
    ("check_zone", "35 * * * *", 1), ("fetch_podcasts", "20 */4 * * *", 25), ("rotate_logs", "25 6 * * *", 4), ("update_packages", "20 6 * * *", 40),
    ("update_index", "5 4 * * *", 70), ("backup_home", "30 1 * * *", 1420), ("dump_shop", "45 0 * * *", 210), ("dump_wiki", "50 0 * * *", 33),
    ("offsite", "0 5 * * *", 840), ("trim_disks", "0 5 * * 1", 20), ("check_array", "57 0 * * 0", 3), ("renew_certificates", "12 3,15 * * *", 6),
    ("clean_temporary_files", "50 4 * * *", 2), ("report_disks", "0 7 * * *", 1), ("check_ssl", "0 11 * * *", 2), ("mail_summary", "30 9 * * *", 1),
    ("send_reminders", "0 10 * * *", 5), ("send_invoices", "0 6 1 * *", 30), ("send_newsletter", "0 10 * * 2", 60), ("import_stock", "15 12 * * *", 95),
    ("rebuild_search", "0 3 * * *", 410), ("statistics", "10 * * * *", 9), ("scan_library", "30 13 * * *", 44),
]
FAILS = {"import_stock": ["cURL error 28: Operation timed out after 30001 milliseconds"], "fetch_rates": ["rates.example: certificate has expired", "0" * 200]}
SKIPPED, DISABLED, FUTURE, FAILED = "mail_summary", "send_reminders", "backup_home", "import_stock"
BEGIN = 9


def begun(now):
    """The history since nine in the morning."""
    n = showcase.Night(now.replace(hour=0, minute=0, second=0, microsecond=0))
    start, app = n.at(BEGIN, 4), "cron." + getpass.getuser()
    n.add(start, "discovered", app)
    for name, at, seconds in LINES:
        times = [time for day in range(40) for time in crowd.times(at, n.at(24 * day)) if time > start]
        request = n.submit(start, app, name, begin=times[0], origin="at")
        for time, following in zip(times, times[1:]):
            if time + datetime.timedelta(seconds=2 * seconds) >= now:
                break
            if name == SKIPPED:
                n.add(time, "given_up", app, name, request=request, occurrence={"time": showcase.stamp(time)},
                      reason="09:30 was missed by more than 1 min, and `missed: skip`: load: the load is 3.1 per core")
            elif name != DISABLED:
                failed = name in FAILS
                reason = "the command exited with code 1; it printed last: " + "\n".join(FAILS[name]) if failed else "the command exited with code 0"
                n.ran(time, app, name, seconds, "failed" if failed else "succeeded", reason, request=request,
                      occurrence={"time": showcase.stamp(time)})
            request = n.submit(time, app, name, begin=following, origin="at")
    hand = n.at(11, 20)
    n.add(hand, "launched", app, SKIPPED, run=n.next_run(), kind="processing", origin="operator", reason="by hand")
    n.add(n.at(11, 20, 1), "completed", app, SKIPPED, run=n.run, outcome="succeeded", ms=1000, reason="the command exited with code 0")
    return n


class Newcomer(showcase.Showcase):
    hour = 15

    def manifest(self, plugins):
        """The manifest of `lull import crontab`; each command is a script that does nothing, or fails as in the history."""
        os.makedirs(self.folder + "/bin")
        for name, _, _ in LINES:
            with open(f"{self.folder}/bin/{name}", "w") as file:
                file.write("#!/bin/sh\n" + "".join(f"echo '{line}' >&2\n" for line in FAILS.get(name, [])) + f"exit {int(name in FAILS)}\n")
            os.chmod(f"{self.folder}/bin/{name}", 0o755)
        with open(self.folder + "/crontab", "w") as file:
            file.write(f'MAILTO=""\nPATH={self.folder}/bin:/usr/bin:/bin\n' + "".join(f"{at} {name}\n" for name, at, _ in LINES))
        self.app = "cron." + getpass.getuser()
        return self.run("import", "crontab", self.folder + "/crontab", "--user", getpass.getuser(), bare=True)

    def history(self, now):
        return begun(now)

    def task(self, name):
        return f"{self.app}.{name}"
