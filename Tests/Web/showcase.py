"""A real host in the morning, started by `lull run`, with a manifest and a history of the night.

The night: the backup waited for power that never came, the feed was refreshed before its reader woke, the report failed,
the export ran, the scrub waited for a quiet host."""

import contextlib
import datetime
import json
import os
import shutil
import subprocess
import threading
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MANIFEST = """\
version: 1
apps:
  com.example.ColorFeed:
    plugin: {plugins}/libColorFeed.so
    user: host
    description: Colours of the day
    settings: {{ feed: {root}/plugins/ColorFeed/feed.json }}
    usage: manual
    tasks:
      refresh: {{ kind: refresh, repeat: 15m }}
      db_cleaning: {{ kind: processing, repeat: 7d, requires: {{ idle: false }} }}
  com.example.Backup:
    plugin: {plugins}/libCommand.so
    user: host
    idle_after: never
    tasks:
      nightly:
        kind: processing
        repeat: 1d
        windows: ["01:00-05:00"]
        requires: {{ external_power: true, network: any, idle: false }}
        settings: {{ run: "echo 4812 files, 1.3 GiB" }}
      verify: {{ kind: processing, repeat: 7d, windows: ["Sun 01:00-06:00"], settings: {{ run: "true" }} }}
  com.example.Reports:
    plugin: {plugins}/libCommand.so
    user: host
    idle_after: never
    tasks:
      mail_digest: {{ kind: processing, repeat: 1d, requires: {{ idle: false }}, settings: {{ run: "{program}" }} }}
      disk_report: {{ kind: processing, repeat: 1d, requires: {{ idle: false }}, settings: {{ run: "df -h / | tail -n 1" }} }}
  com.example.Photos:
    plugin: {plugins}/libCommand.so
    user: host
    idle_after: never
    tasks:
      thumbnails: {{ kind: processing, repeat: 6h, requires: {{ load_below: 0.01 }}, settings: {{ run: "true" }} }}
"""
WILD = "echo '<script>document.title=1</script><img src=x onerror=alert(1)>'; echo 'SMTP: connection refused' >&2; exit 3"


def make_it(hour):
    """Sets a time zone in which it is now this hour, for the host, the browser and this program."""
    east = (hour - datetime.datetime.now(datetime.timezone.utc).hour + 12) % 24 - 12
    os.environ["TZ"] = f"Etc/GMT{-east:+d}"
    time.tzset()


def stamp(time):
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Night:
    """The events of a history, in the order in which they are added."""

    def __init__(self, morning):
        self.morning = morning
        self.events = []
        self.request = 0
        # The waiting request of each task, which the next run takes.
        self.waiting = {}
        self.run = 0

    def at(self, hours, minutes=0, seconds=0):
        """The time this many hours after this day's midnight; negative: before it."""
        return self.morning + datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)

    def add(self, time, event, app, task=None, **more):
        line = {"time": stamp(time), "event": event, "app": app}
        if task:
            line["task"] = app + "." + task
        self.events.append((time, len(self.events), {**line, **more}))

    def next_run(self):
        self.run += 1
        return self.run

    def submit(self, time, app, task, kind="processing", begin=None, origin="repeat"):
        self.request += 1
        more = {"earliest_begin": stamp(begin)} if begin else {}
        self.add(time, "submitted", app, task, request=self.request, kind=kind, origin=origin, **more)
        self.waiting[app, task] = self.request
        return self.request

    def defer(self, time, app, task, gates, reason):
        self.add(time, "deferred", app, task, gates=gates, reason=reason)

    def ran(self, time, app, task, seconds, outcome="succeeded", reason=None, kind="processing", request=None, next=None,
            occurrence=None):
        run = self.next_run()
        request = self.waiting.pop((app, task), None) if request is None else request
        more = {"request": request} if request else {}
        self.add(time, "launched", app, task, run=run, kind=kind, **more, **({"occurrence": occurrence} if occurrence else {}))
        if next:
            self.submit(time, app, task, kind, next)
        end = time + datetime.timedelta(seconds=seconds)
        self.add(end, "completed" if outcome == "succeeded" else "failed", app, task, run=run, outcome=outcome,
                 ms=int(seconds * 1000), **({"reason": reason} if reason else {}), **more)

    def lines(self, until):
        kept = [event for time, _, event in sorted(self.events, key=lambda entry: entry[:2]) if time <= until]
        return "".join(json.dumps(event) + "\n" for event in kept)


def night(now):
    n = Night(now.replace(hour=0, minute=0, second=0, microsecond=0))
    feed, backup, reports, photos = ("com.example." + name for name in ("ColorFeed", "Backup", "Reports", "Photos"))
    for day in range(-42, 1):
        weekend = n.at(24 * day).weekday() >= 5
        for hour, minute in ((9, 40), (21, 10)) if weekend else ((7, 20), (12, 30), (18, 45)):
            n.add(n.at(24 * day + hour, (minute + 7 * day) % 50), "used", feed)
    last = n.submit(n.at(-23), backup, "nightly")
    n.defer(n.at(-23), backup, "nightly", ["window"], "window: it is outside 01:00-05:00, which opens at 01:00")
    n.defer(n.at(1), backup, "nightly", ["external_power"], "external_power: the host runs on battery, and the task requires external power")
    n.defer(n.at(5), backup, "nightly", ["external_power", "window"],
            "external_power: the host runs on battery, and the task requires external power; window: it is outside 01:00-05:00, which opens tomorrow at 01:00")
    n.submit(n.at(-30), backup, "verify")
    n.defer(n.at(-30), backup, "verify", ["window"], "window: it is outside Sun 01:00-06:00")
    for hour in (-5, -1, 3, 6):
        n.ran(n.at(hour, 41), feed, "refresh", 1.9, kind="refresh", reason="added 96 entries", next=n.at(hour, 56))
    n.defer(n.at(6, 58), feed, "refresh", [], "all gates are open, and it waits for its moment")
    n.ran(n.at(-52), feed, "db_cleaning", 4.2, reason="deleted 480 entries", next=n.at(116))
    for day in (-24, 0):
        for attempt, minutes in ((1, 30), (2, 31), (3, 33), (4, 37)):
            n.ran(n.at(day + 2, minutes), reports, "mail_digest", 0.8, "failed", "the command exited with code 3; it printed last: SMTP: connection refused")
            n.defer(n.at(day + 2, minutes, 1), reports, "mail_digest", ["backoff"],
                    f"backoff: it failed {attempt} times in a row, and runs no sooner than {2 ** (attempt - 1)} min after that")
        n.submit(n.at(day + 2, 37, 30), reports, "mail_digest", begin=n.at(day + 26, 30))
        n.ran(n.at(day + 2, 50), reports, "disk_report", 0.1, reason="the command exited with code 0", next=n.at(day + 26, 50))
    n.submit(n.at(-8), photos, "thumbnails")
    n.defer(n.at(-8), photos, "thumbnails", ["load"], "load: the load is 0.31 per core, and the task requires below 0.01")
    n.defer(n.at(2), photos, "thumbnails", ["idle", "load"], "idle: somebody is using the host; load: the load is 0.22 per core")
    n.add(n.at(4, 30), "absent", "host", ms=40 * 60000, reason="the machine slept")
    n.defer(n.at(4, 31), photos, "thumbnails", ["load"], "load: the load is 0.12 per core, and the task requires below 0.01")
    for hour in range(-7 * 24, 8):
        share = 0.0 if -3 <= hour else 1.0
        n.add(n.at(hour), "conditions", "host", ms=3600000, gates=[],
              shares={"external_power": share, "network": 0.9 if hour % 24 == 4 else 1.0, "idle": 0.1 if 8 <= hour % 24 <= 22 else 0.95})
    return n


class Showcase:
    """The folder with all files, and the host that runs in it."""

    # The hour of the day at which the page is viewed.
    hour = 9

    def __init__(self, folder, program):
        self.folder = folder
        program = os.path.abspath(program)
        self.lull = program
        self.state = folder + "/state"
        plugins = os.path.dirname(program)
        make_it(self.hour)
        os.makedirs(folder, exist_ok=True)
        with open(folder + "/digest.sh", "w") as file:
            file.write("#!/bin/sh\n" + WILD + "\n")
        os.chmod(folder + "/digest.sh", 0o755)
        with open(folder + "/jobs.yaml", "w") as file:
            file.write(self.manifest(plugins))
        # The power supplies of an unplugged laptop.
        for supply, files in (("AC", {"type": "Mains", "online": "0"}),
                              ("BAT0", {"type": "Battery", "present": "1", "capacity": "64", "status": "Discharging"})):
            os.makedirs(f"{folder}/sys/class/power_supply/{supply}")
            for name, text in files.items():
                with open(f"{folder}/sys/class/power_supply/{supply}/{name}", "w") as file:
                    file.write(text + "\n")
        now = datetime.datetime.now().astimezone()
        with open(folder + "/night.jsonl", "w") as file:
            file.write(self.history(now).lines(now))
        self.run("history", "import", folder + "/night.jsonl", "--manifest", "jobs.yaml")
        self.host = subprocess.Popen(
            [program, "run", "jobs.yaml", "--http", "127.0.0.1:0", *self.options()],
            stderr=subprocess.PIPE, cwd=folder, text=True)
        for line in self.host.stderr:
            if "The page is at " in line:
                self.url = line.split("The page is at ")[1].strip()
                break
        else:
            raise RuntimeError("the host has ended: " + str(self.host.wait()))
        # Drains the pipe: a full one would block the host.
        threading.Thread(target=self.host.stderr.read, daemon=True).start()
        self.base, self.token = self.url.split("/#token=")

    def manifest(self, plugins):
        return MANIFEST.format(plugins=plugins, root=ROOT, program=self.folder + "/digest.sh")

    def history(self, now):
        return night(now)

    def options(self):
        return ["--state", self.state, "--sysfs", self.folder + "/sys"]

    def run(self, *arguments, may_fail=False, bare=False):
        """Returns the output of a command; `bare`: a command without the options for the state."""
        result = subprocess.run([self.lull, *arguments, *([] if bare else self.options())], cwd=self.folder, capture_output=True, text=True)
        if result.returncode != 0 and not may_fail:
            raise RuntimeError(result.stderr)
        return result.stdout

    def wait(self, is_so, *command):
        """Polls when the host reports a change, and each second, because the host does not report everything as a change."""
        changed, end = threading.Event(), time.monotonic() + 120

        def listen():
            with contextlib.suppress(OSError), urllib.request.urlopen(self.base + "/api/live") as live:
                for line in live:
                    if line.strip() == b"event: changed":
                        changed.set()
        threading.Thread(target=listen, daemon=True).start()
        while not is_so(answer := json.loads(self.run(*command, "--json", may_fail=True))):
            if time.monotonic() > end:
                self.close()
                raise RuntimeError(f"after two minutes lull {' '.join(command)} says {answer}")
            changed.wait(1)
            changed.clear()

    def end(self):
        self.host.terminate()
        self.host.wait()

    def close(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)
        # Removes the parent folder, if it is empty.
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(self.folder))
