"""A night of a server with 40 tasks and twelve deliberate faults: `Tests/Night/night.py .build/debug/lull night`, as root.
With `week` in place of `night`, it compares the week of `lull simulate` with the crontabs.

The tasks are those of Debian packages, as `lull import` reads their crontabs and timers. Each command is replaced by a script
with the task's name, which prints a line and takes a second, or does what a file in /mnt/faults says. The host is the real one,
in namespaces of its own, under a clock that `clock.c` moves: it begins at 02:54. After the night, all that the operator was
told is printed and compared with the faults. It takes 23 minutes. LULL_NIGHT names the folder for the packages and the output.
"""

import collections
import datetime
import http.server
import json
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
import urllib.request

import yaml

CRONTABS = ("php-common munin munin-node cacti awstats logcheck amavisd-new dma mailman3-web tiger backupninja cron-apt").split()
TIMERS = (
    "apt man-db certbot logrotate e2fsprogs dpkg exim4-base spamassassin roundcube-core mdadm sysstat ntpsec ntpsec-ntpviz util-linux"
).split()
LEFT_OUT = {"mdadm_last_resort", "ntploggps", "ntplogtemp", "ntpviz_weekly", "munin_limits", "mdmonitor_oneshot", "mailman3_web_yearly"}
HERE, LULL = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(sys.argv[1])
FOLDER = os.path.abspath(os.environ.get("LULL_NIGHT", "/tmp/lull-night"))
HOUR = 3600
WEB = "cron.www_data."
# Changes to the imported manifest: limits, a chain of three tasks, and a task that waits for the network.
CHANGES = {
    "cron.root": {"limits": {"memory": "100MiB"}},
    WEB + "cacti": {"time_limit": "1m"},
    WEB + "awstats_buildstatic": {"at": None, "on": {"after": "awstats_update"}},
    WEB + "mailman3_web_daily": {"at": None, "on": {"after": "awstats_buildstatic"}},
    "cron.logcheck.logcheck": {"requires": {"network": "any"}},
}
TOUCHED = (
    "munin.munin_cron root.backupninja root.tiger www_data.cacti www_data.awstats_update www_data.awstats_buildstatic "
    "www_data.mailman3_web_daily logcheck.logcheck root.dma root.php www_data.mailman3_web_minutely munin.munin_htmldir "
    "www_data.munin_cgitmpdir root.cron_apt"
)
SCRIPT = """#!/bin/sh
name=${0##*/}
[ ! -e "/mnt/faults/$name" ] || . "/mnt/faults/$name"
echo "$name has done its work"
sleep 1
"""


# For each fault, the place and words of its report; `not`: words that must not occur. Answers during a fault carry its name.
SAID = {
    "sink down": [("sink down: status", "webhook 127.0.0.1:8025 .* could not be notified"), ("sink", "failed cron.root.backupninja")],
    "broken manifest": [("broken manifest: status", "jobs.yaml has errors"), ("sink", "manifest : .*has errors"), ("sink", "in force again")],
    "missing account": [
        ("missing account: why cron.munin.munin_cron", "no account 'munin'"), ("night cron.munin.munin_cron", "no account 'munin'"),
    ],
    "memory hog": [
        ("night", r"backupninja failed .*MiB of memory, but may use 100 MiB"), ("sink", "backupninja: .*100 MiB"), ("not sink", "cron.root.tiger"),
        ("not night", "tiger (failed|cut short)"), ("night cron.root.tiger", "succeeded"),
    ],
    "hanging command": [("night cron.www_data.cacti", "expired.* at its time limit of 1 min"), ("sink", "cacti: .*time limit of 1 min")],
    "failing chain": [
        ("night", "buildstatic did not run .*awstats_update failed"), ("night", "web_daily did not run .*awstats_update failed"),
        ("why cron.www_data.mailman3_web_daily", "awstats_update failed at"), ("sink", "awstats_update: .*Couldn't open server log file"),
    ],
    "lost network": [("lost network: why cron.logcheck.logcheck", "no network"), ("night cron.logcheck.logcheck", "03:02:00 03:03:1. no network")],
    "disk full": [
        ("disk full: status", "disk that holds Lull's state is full"), ("night cron.root.dma", "No space left on device"),
        ("sink", "cron.root.dma: .*No space left on device"),
    ],
    "host stopped": [
        ("host stopped: why cron.root.php", "waits for a host.* was due at 03:09, and no host ran from 03:07"), ("night", "o host ran from 03:07 to 03:10"),
        ("night cron.root.php", "due at 03:09"), ("not host stopped: status", "will be launched(?! when)"),
    ],
    "host killed": [
        ("host killed: status", "killed or crashed"), ("night", "no host is known to have run from 03:11 to 03:12: it was killed or crashed"),
        ("night cron.www_data.mailman3_web_minutely", "interrupted"), ("not night", "still runs"),
    ],
    "machine suspended": [
        ("night", "host was asleep from 03:13 to 04:13"), ("why cron.root.cron_apt", "due at 04:00, and the host was asleep from 03:13"),
        ("night", "munin_htmldir did not run .*03:27.* asleep from 03:13"), ("not night", "off, asleep or busy"),
    ],
    "wrong clock": [
        ("night", "clock was set ahead from 04:14 to 06:14"), ("night", "clock was set back from 06:15 to 04:15"),
        ("history --events --limit 0", "the clock was set back by 2 h"),
    ],
}


def run(*command, **options):
    return subprocess.run(command, text=True, check=True, **options)


def put(path, text, mode=0o644):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def fetch():
    """Gets the packages' crontabs and timers, once; needs a network."""
    units = FOLDER + "/systemd"
    crontabs = FOLDER + "/cron.d"
    for place in (units, crontabs, FOLDER + "/debs"):
        os.makedirs(place, exist_ok=True)
    for package in CRONTABS + TIMERS:
        tree = f"{FOLDER}/packages/{package}"
        if not os.path.exists(tree):
            run("apt-get", "download", package, cwd=FOLDER + "/debs", stdout=subprocess.DEVNULL)
            deb = next(name for name in os.listdir(FOLDER + "/debs") if name.startswith(package + "_"))
            os.makedirs(tree)
            run("dpkg-deb", "-x", f"{FOLDER}/debs/{deb}", tree)
        for place, target, wanted in (("etc/cron.d", crontabs, CRONTABS), ("lib/systemd/system", units, TIMERS)):
            if package in wanted and os.path.isdir(f"{tree}/{place}"):
                run("cp", "-r", f"{tree}/{place}/.", target)


def server():
    """The manifest of the packages' tasks, and the accounts that it needs."""
    apps = {}
    for arguments in (["crontab", FOLDER + "/cron.d", "--system"], ["timers", FOLDER + "/systemd"]):
        told = subprocess.run([LULL, "import", *arguments, "--all"], text=True, capture_output=True)
        print(told.stderr.splitlines()[-1])
        manifest = yaml.safe_load(told.stdout)
        for app in manifest["apps"].values():
            app.pop("notify", None)
            for name in LEFT_OUT & set(app["tasks"]):
                del app["tasks"][name]
            for name, task in app["tasks"].items():
                task.pop("notify", None)
                task["description"] = str(task["settings"]["run"])[:200]
                task["settings"]["run"] = "/mnt/bin/" + name
                # The packages are not installed, so their folders are not there.
                task["settings"].pop("cwd", None)
            app["settings"]["cwd"] = "/"
            app.setdefault("missed", manifest["defaults"].get("missed", "one"))
        apps |= manifest["apps"]
    manifest["apps"] = apps
    manifest["defaults"].pop("missed", None)
    manifest["defaults"]["notify"] = [{"webhook": "http://127.0.0.1:8025/", "on": ["failed", "recovered", "overdue", "manifest"]}]
    for name, change in CHANGES.items():
        place = apps[name] if name in apps else apps[name.rpartition(".")[0]]["tasks"][name.rpartition(".")[2]]
        for key, value in change.items():
            place[key] = {**place.get(key, {}), **value} if isinstance(value, dict) else value
            if value is None:
                del place[key]
    return manifest


def enter():
    """Runs this script again in namespaces of its own."""
    os.makedirs(FOLDER, exist_ok=True)
    os.execvp("unshare", "unshare -m -n -p --fork --kill-child --mount-proc sh -c".split() + ['"$@"; exit $?', "sh", sys.executable, *sys.argv, "inside"])


class Sink(http.server.BaseHTTPRequestHandler):
    told = []

    def do_POST(self):
        Sink.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Night:
    def __init__(self):
        self.faults, self.said, self.sink, self.offsets, self.vain = {}, {}, None, [0, 0, 0], 0

    def prepare(self):
        run("mount", "-t", "tmpfs", "night", "/mnt", "-o", "mode=755")
        for place in ("bin", "faults", "state", "etc"):
            os.mkdir("/mnt/" + place)
        run("mount", "-t", "tmpfs", "state", "/mnt/state", "-o", "size=64m,mode=700")
        run("cp", "-a", "/etc/.", "/mnt/etc")
        run("mount", "--bind", "/mnt/etc", "/etc")
        run("mount", "-t", "sysfs", "sysfs", "/sys")
        for line in ("lo up", "eth0 type veth peer name eth1", "eth1 up", "eth0 up"):
            run("ip", "link", "add" if "type" in line else "set", *line.split())
        self.link(True)
        self.manifest = self.make()
        put("/mnt/jobs.yaml", self.manifest)
        put("/mnt/offsets", "\0" * 24)
        self.clock = mmap.mmap(os.open("/mnt/offsets", os.O_RDWR), 24)
        run("gcc", "-O1", "-shared", "-fPIC", '-DOFFSETS="/mnt/offsets"', HERE + "/clock.c", "-o", "/mnt/clock.so", "-lpthread")
        put("/etc/ld.so.preload", "/mnt/clock.so\n")

    def make(self):
        """The manifest, with the accounts and scripts that it needs."""
        manifest = server()
        for app in manifest["apps"].values():
            if subprocess.run(["getent", "passwd", app["user"]], stdout=subprocess.DEVNULL).returncode:
                run("useradd", "--system", app["user"])
            for name in app["tasks"]:
                put("/mnt/bin/" + name, SCRIPT, 0o755)
        self.schedules = {f"{app}.{name}": task.get("at") for app, part in manifest["apps"].items() for name, task in part["tasks"].items()}
        return json.dumps(manifest, indent=1)

    # What the night is made of.

    def now(self):
        return time.time() + self.offsets[0]

    def step(self, wall=0, boot=0):
        self.offsets = [self.offsets[0] + wall, self.offsets[1] + boot, self.offsets[2] + 1]
        self.clock[:] = struct.pack("3q", *self.offsets)

    def set(self, moment):
        self.step(wall=int(datetime.datetime.fromisoformat(moment).timestamp() - self.now()))

    def at(self, moment):
        """Waits until a time of this night."""
        want = datetime.datetime.combine(datetime.datetime.fromtimestamp(self.now()), datetime.time.fromisoformat(moment))
        time.sleep(max(0, want.timestamp() - self.now()))

    def until(self, what, is_so, limit=120):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if found := is_so():
                return found
            time.sleep(0.5)
        self.log(f"waited {limit} s in vain: {what}")
        self.vain += 1

    def event(self, name, task="", since=0, **facts):
        def found():
            lines = self.lull("history", "--json", "--event", name).splitlines()
            for event in (json.loads(line) for line in lines if line.startswith("{")):
                when = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp()
                if when >= since and event.get("task", "").endswith(task) and facts.items() <= event.get(name, {}).items():
                    return event

        return self.until(f"{name} of {task or 'the host'} {facts or ''}", found)

    def lull(self, *words):
        done = subprocess.run(
            [LULL, *words], text=True, capture_output=True, cwd="/mnt", env={"PATH": os.environ["PATH"], "LULL_STATE": "/mnt/state"}
        )
        return done.stdout + done.stderr

    def ask(self, *words, about=None):
        said = self.lull(*words)
        name = " ".join(words)
        self.said[f"{about}: {name}" if about else name] = said
        print(f"\n[{self.stamp()}] $ lull {name}\n{said}", flush=True)
        return said

    def stamp(self):
        return datetime.datetime.fromtimestamp(self.now()).strftime("%H:%M:%S")

    def log(self, line):
        print(f"--- {self.stamp()} {line}", flush=True)

    def begin(self, fault):
        self.log("begins: " + fault)
        self.faults[fault] = [self.stamp(), None]
        return self.now()

    def end(self, fault, *tasks):
        """Runs an operator's commands while the fault lasts."""
        for task in tasks:
            self.ask("why", task, about=fault)
        self.ask("status", about=fault)
        self.faults[fault][1] = self.stamp()
        self.log("ends: " + fault)

    def start(self):
        env = {"PATH": os.environ["PATH"], "LULL_STATE": "/mnt/state"}
        log = open(FOLDER + "/host.log", "a")
        self.host = subprocess.Popen([LULL, "run", "--http", "127.0.0.1:8320", "jobs.yaml"], cwd="/mnt", stdout=log, stderr=log, env=env)
        self.until("the host answers", lambda: "No host" not in self.lull("status"))

    def stop(self, how):
        self.host.send_signal(how)
        self.host.wait()

    def listen(self, is_up):
        if is_up:
            self.sink = http.server.ThreadingHTTPServer(("127.0.0.1", 8025), Sink)
            threading.Thread(target=self.sink.serve_forever, daemon=True).start()
        else:
            self.sink.shutdown()
            self.sink.server_close()

    def link(self, is_up):
        run("ip", "link", "set", "eth0", "up" if is_up else "down")
        if is_up:
            run("ip", "addr", "replace", "10.9.0.2/24", "dev", "eth0")
            run("ip", "route", "replace", "default", "via", "10.9.0.1")

    def freeze(self, signal_number):
        """Signals all processes of the namespace but its init and this one, to imitate a machine that sleeps."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if int(pid) not in (1, os.getpid()) and os.path.exists(f"/proc/{pid}/exe"):
                os.kill(int(pid), signal_number)

    def live(self):
        start = datetime.datetime.now().replace(hour=2, minute=54, second=0)
        self.set(str(start if start > datetime.datetime.now() else start + datetime.timedelta(days=1)))
        self.listen(True)
        self.start()

        self.at("02:54:20")
        self.begin("sink down")
        self.listen(False)

        since = self.begin("broken manifest")
        put("/mnt/jobs.yaml", self.manifest.replace('"kind"', '"knid"', 1))
        self.event("notice", kind="manifest", since=since)
        self.at("02:55:12")
        self.end("broken manifest", "cron.root.dma")
        put("/mnt/jobs.yaml", self.manifest)

        self.at("02:59:30")
        put("/mnt/faults/backupninja", 'exec /usr/bin/python3 -c "import time; x = bytearray(300 << 20); time.sleep(60)"\n')
        put("/mnt/faults/tiger", "sleep 20\n")
        put("/mnt/faults/cacti", "echo polling; exec sleep 600\n")
        put("/mnt/faults/awstats_update", 'echo "Error: Couldn\'t open server log file" >&2; exit 1\n')
        since = self.begin("memory hog")
        self.begin("hanging command")
        self.begin("failing chain")
        self.at("03:00:20")
        self.end("memory hog", "cron.root.backupninja", "cron.root.tiger")
        self.end("failing chain", WEB + "mailman3_web_daily")
        self.end("sink down", WEB + "awstats_update")
        self.listen(True)
        os.remove("/mnt/faults/backupninja")
        self.event("expired", "cacti", since)
        os.remove("/mnt/faults/cacti")
        self.end("hanging command", WEB + "cacti")

        self.at("03:01:30")
        self.begin("lost network")
        self.link(False)
        self.at("03:03:15")
        self.end("lost network", "cron.logcheck.logcheck")
        since = self.now()
        self.link(True)
        self.event("completed", ".logcheck", since)

        self.at("03:04:30")
        put("/mnt/faults/dma", "/bin/echo queued >/mnt/state/spool || exit 1\n")
        since = self.begin("disk full")
        filler = subprocess.Popen(["sh", "-c", "while sleep 0.1; do cat /dev/zero; done >/mnt/state/filler 2>/dev/null"], start_new_session=True)
        self.event("failed", "dma", since)
        self.end("disk full", "cron.root.dma")
        os.remove("/mnt/faults/dma")
        os.killpg(filler.pid, signal.SIGKILL)
        filler.wait()
        since = self.now()
        os.remove("/mnt/state/filler")
        self.event("completed", "minutely", since)

        self.at("03:07:30")
        self.begin("host stopped")
        self.stop(signal.SIGTERM)
        self.begin("missing account")
        accounts = open("/etc/passwd").read()
        put("/etc/passwd", re.sub(r"(?m)^munin:.*\n", "", accounts))
        self.at("03:10:15")
        self.end("host stopped", "cron.root.php")
        since = self.now()
        self.start()
        self.ask("why", "cron.root.php", about="after host stopped")
        self.at("03:10:30")
        self.end("missing account", "cron.munin.munin_cron")
        put("/etc/passwd", accounts)
        self.event("completed", "munin_cron", since)

        self.at("03:10:55")
        put("/mnt/faults/mailman3_web_minutely", "sleep 30\n")
        since = self.now()
        self.event("launched", "mailman3_web_minutely", since)
        self.begin("host killed")
        self.stop(signal.SIGKILL)
        os.remove("/mnt/faults/mailman3_web_minutely")
        self.at("03:12:20")
        self.end("host killed", WEB + "mailman3_web_minutely")
        self.start()
        self.ask("why", WEB + "mailman3_web_minutely", about="after host killed")

        self.at("03:13:10")
        since = self.begin("machine suspended")
        self.freeze(signal.SIGSTOP)
        self.step(wall=HOUR, boot=HOUR)
        self.freeze(signal.SIGCONT)
        self.event("absent", since=since)
        self.end("machine suspended", "cron.munin.munin_htmldir", "cron.root.cron_apt")

        self.at("04:14:10")
        self.begin("wrong clock")
        self.step(wall=2 * HOUR)
        self.at("06:15:15")
        self.end("wrong clock", "cron.root.dma")
        self.step(wall=-2 * HOUR)
        self.at("04:17:05")

    def read(self):
        print("\n==== The faults")
        for fault, (begun, ended) in self.faults.items():
            print(f"{begun}–{ended} {fault}")
        self.touched = ["cron." + task for task in TOUCHED.split()]
        self.ask("night")
        self.ask("night", "--all")
        for task in self.touched:
            self.ask("night", task)
            self.ask("why", task)
        self.ask("status")
        self.ask("history", "--failed")
        self.ask("history", "--events", "--limit", "0")
        self.ask("history", "--event", "notice", "--event", "notified")
        for path in ("status", "timeline", "runs"):
            with urllib.request.urlopen("http://127.0.0.1:8320/api/" + path) as answer:
                self.said["/api/" + path] = answer.read().decode()
                with open(f"{FOLDER}/{path}.json", "w") as file:
                    file.write(self.said["/api/" + path])
        self.said["sink"] = "\n".join(f"{told['kind']} {told.get('task', '')}: {told['text']}" for told in Sink.told)
        print("\n==== What the sink was told\n" + self.said["sink"])
        self.stop(signal.SIGTERM)

    def judge(self, expected):
        """Checks that each fault was reported where it must be, and that no report is false."""
        print("\n==== What was said")
        faults = [f"{fault}: not begun" for fault in expected if fault not in self.faults]
        for fault, claims in expected.items():
            for place, words in claims:
                text = " ".join(self.said[place.removeprefix("not ")].split())
                if (re.search(words, text) is None) != place.startswith("not "):
                    faults.append(f"{fault}: {place}: {words}")
        lanes = json.loads(self.said.get("/api/timeline", '{"lanes": []}'))["lanes"]
        faults += [f"{lane['task']} had nothing due" for lane in lanes if lane["task"] in self.touched and lane["result"] == "quiet"]
        print("\n".join(faults) or "Each fault is named, and nothing false is said of any.")
        return len(faults) + self.vain


def matches(field, value, low):
    """Whether a value matches a crontab's field: a number, a range, a list, with steps."""
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        begin = low if span == "*" else int(first)
        end = 99 if span == "*" else int(last or first)
        if begin <= value <= end and (value - begin) % int(step or 1) == 0:
            return True
    return False


def simulate(night):
    """Compares the week of `lull simulate` with the times of the crontabs, read by a second parser."""
    begun = datetime.datetime.now().replace(second=0, microsecond=0)
    said = json.loads(night.lull("simulate", "--days", "7", "--json", "jobs.yaml"))
    launches = collections.defaultdict(list)
    for launch in said:
        launches[launch["task"]].append(launch["time"][:16])
    minutes = [begun + datetime.timedelta(minutes=count) for count in range(7 * 1440)]
    for name, task in sorted(night.schedules.items()):
        short = {"@hourly": "0 * * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}.get(task, task)
        if not re.fullmatch(r"[\d*/,-]+( [\d*/,-]+){4}", str(short)):
            print(f"{name}: {task}: {len(launches[name])} launches; not compared")
            continue
        fields = list(zip(short.split(), (0, 0, 1, 1, 0)))
        want = [
            minute.isoformat()[:16]
            for minute in minutes
            if all(matches(field, value, low) for (field, low), value in zip(fields, (minute.minute, minute.hour, minute.day, minute.month, minute.isoweekday() % 7)))
        ]
        # The week may begin and end within these minutes.
        edges = {minute.isoformat()[:16] for minute in minutes[:3]} | {max(launches[name], default="")}
        differ = (set(want) ^ set(launches[name])) - edges
        print(f"{name}: {task}: {len(launches[name])} launches; {'as cron' if not differ else f'differs: {sorted(differ)[:9]}'}")


if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        fetch()
        enter()
    night = Night()
    night.prepare()
    print(len(night.schedules), "tasks")
    if sys.argv[2] == "week":
        simulate(night)
    else:
        night.live()
        night.read()
        sys.exit(1 if night.judge(SAID) else 0)
