"""Five hosts of a fleet under random faults: `Tests/Night/fleet.py .build/debug/lull [--minutes 60] [--seed 1]`, as root.

The hosts are real, each with its own name and state, in namespaces of this program. They reach one PostgreSQL through a proxy
each, which can be paused or cut. The seed decides which fault comes when, on which host, and how long it lasts. Each command
writes its begin and its end into a ledger that Lull does not know; a run that is killed ends when its process does. Afterwards
the ledger is compared with what docs/fleet.md promises: no two runs of one slot at once, no slot lost, none repeated after it
had ended well unless a fault kept its host from reporting that: `fleet_ledger.py` has the tasks and the rules. LULL_NIGHT names
the folder for the ledger and the logs.
"""

import argparse
import asyncio
import collections
import glob
import json
import os
import pickle
import random
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
import types

from fleet_ledger import APP, KINDS, ON_DATABASE, ON_HOST, ON_RUN, TASKS, Run, judge, parent

HOSTS = ["h1", "h2", "h3", "h4", "h5"]
FOLDER = os.path.abspath(os.environ.get("LULL_NIGHT", "/tmp/lull-fleet-night"))
BIN = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]), default="")
NOBODY = "setpriv --reuid=nobody --regid=nogroup --clear-groups".split()
DATABASE = "host=/mnt/pg user=postgres dbname=postgres"
# A line is one write, and the file is opened for appending: no line is mixed with another.
JOB = f"""#!/bin/sh
note() {{ read -r up _ < /proc/uptime; echo "$1 $task ${{LULL_SLOT:-0}} ${{LULL_FENCE:-0}} $host $$ $up $2" >> {FOLDER}/ledger; }}
task=$1
read -r host < /proc/sys/kernel/hostname
note begin -
sleep $2
note end $3
exit $3
"""


def now():
    """The clock that also counts sleep, as in /proc/uptime."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def program(seed):
    """The faults of a seed, one or two at once: after how long each begins, what it is, on which host, and for how long."""
    dice = random.Random(seed)
    while True:
        pair = [(dice.randint(2, 20), dice.choice(KINDS), dice.choice(HOSTS), round(150 ** dice.random(), 1)) for _ in range(2)]
        kinds, is_one = {fault[1] for fault in pair}, dice.random() < 0.65
        if is_one or kinds <= set(ON_DATABASE) or (pair[0][2] == pair[1][2] and kinds <= set(ON_HOST)):
            pair.pop()
        yield pair


def signal_to(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def signal_all(root, number):
    """Signals a process and all its descendants; looks again until there is nobody new."""
    told, found = set(), [root]
    while set(found) - told:
        for pid in set(found) - told:
            told.add(pid)
            signal_to(pid, number)
        children = collections.defaultdict(list)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            children[parent(pid)].append(int(pid))
        found = [root]
        for pid in found:
            found += children[pid]
    return told


class Proxy:
    """Passes on what a host and the database say to each other, unless it is paused or cut."""

    def __init__(self, port):
        self.port, self.is_cut, self.open, self.writers = port, False, asyncio.Event(), set()
        self.open.set()

    async def accept(self, reader, writer):
        await self.open.wait()
        try:
            if self.is_cut:
                raise OSError
            ends = await asyncio.open_connection("127.0.0.1", 5432)
        except OSError:
            return writer.transport.abort()
        self.writers |= {writer, ends[1]}
        await asyncio.gather(self.pump(reader, ends[1]), self.pump(ends[0], writer))
        self.writers -= {writer, ends[1]}

    async def pump(self, reader, writer):
        try:
            while data := await reader.read(65536):
                await self.open.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.transport.abort()

    def cut(self, is_cut):
        self.is_cut = is_cut
        for writer in self.writers if is_cut else ():
            writer.transport.abort()


class Watch(threading.Thread):
    """Reads the ledger as it grows, and sees when each command's process ends."""

    def __init__(self):
        super().__init__(daemon=True)
        self.runs = []

    def run(self):
        rest, by_line, waited, poll, ledger = "", {}, {}, select.poll(), open(FOLDER + "/ledger")
        while True:
            *lines, rest = (rest + ledger.read()).split("\n")
            for word, task, slot, fence, host, pid, up, code in map(str.split, lines):
                if word == "end":
                    run = by_line[task, fence, pid]
                    run.code, run.end = int(code), float(up)
                    continue
                run = by_line[task, fence, pid] = Run(task, slot, fence, host, pid, float(up))
                self.runs.append(run)
                try:
                    descriptor = os.pidfd_open(run.command)
                    poll.register(descriptor, select.POLLIN)
                    waited[descriptor] = run
                except OSError:
                    run.dead = now()
            for descriptor, _ in poll.poll(20):
                poll.unregister(descriptor)
                waited.pop(descriptor).dead = now()
                os.close(descriptor)
            time.sleep(0.02)


class Fleet:
    """The hosts, their proxies and the database, and what is done to them."""

    def __init__(self, lull):
        self.lull, self.hosts, self.faults, self.crashes, self.loop = lull, {}, [], [], asyncio.new_event_loop()
        self.proxies = {host: Proxy(6001 + number) for number, host in enumerate(HOSTS)}

    def prepare(self):
        subprocess.run("mount -t tmpfs -o mode=755 fleet /mnt && mount -t sysfs sysfs /sys && ip link set lo up", shell=True, check=True)
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(FOLDER)
        open(FOLDER + "/ledger", "x").close()
        with open(os.open("/mnt/job", os.O_CREAT | os.O_WRONLY, 0o755), "w") as file:
            file.write(JOB)
        os.mkdir("/mnt/pg")
        shutil.chown("/mnt/pg", "nobody", "nogroup")
        init = [*NOBODY, BIN + "/initdb", *"-D /mnt/pg/data -U postgres -A trust -N -E UTF8 --locale=C.UTF-8".split()]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.start_database()
        for host, proxy in self.proxies.items():
            os.mkdir("/mnt/" + host)
            with open(f"/mnt/{host}/jobs.yaml", "w") as file:
                file.write(self.manifest(host))
            proxy.server = self.loop.run_until_complete(asyncio.start_server(proxy.accept, "127.0.0.1", proxy.port))
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.tell("fleet", "init", "--database", DATABASE)
        self.sql("create role lull login; grant lull_lull_host, lull_lull_reader to lull")
        self.watch = Watch()
        self.watch.start()

    def manifest(self, host):
        tasks = "".join(f"      {name}: {{ {keys}, settings: {{ run: 'exec /mnt/job {name} {' '.join(words)}' }} }}\n" for name, (keys, *words) in TASKS.items())
        return f"""version: 1
fleet: {{ database: 'host=127.0.0.1 port={self.proxies[host].port} user=lull dbname=postgres sslmode=disable' }}
defaults: {{ timezone: UTC, concurrency: {{ host: 12, app: 12 }}, requires: {{ idle: false }}, retry: {{ first: 1s, max: 5s }} }}
apps:
  {APP}:
    plugin: Command
    idle_after: never
    user: host
    limits: {{ privileges: keep }}
    tasks:
{tasks}"""

    def log(self, text):
        print(f"{now():.1f} {text}", flush=True)

    def tell(self, *words, check=True):
        return subprocess.run([self.lull, *words, "--state", "/mnt/h1/state"], check=check, stdout=subprocess.PIPE, text=True, cwd="/mnt/h1").stdout

    def sql(self, text):
        command = [*NOBODY, "psql", "-F", "\x1f", *"-h /mnt/pg -U postgres -d postgres -qAtX -v ON_ERROR_STOP=1 -c".split()]
        text = "set search_path = lull_lull, public; " + text
        done = subprocess.run([*command, text], check=True, stdout=subprocess.PIPE, text=True, cwd="/")
        return [line.split("\x1f") for line in done.stdout.splitlines()]

    # What is done to them.

    def start_database(self):
        command, log = [*NOBODY, BIN + "/postgres", *"-D /mnt/pg/data -k /mnt/pg -c fsync=off".split()], open(FOLDER + "/postgres.log", "a")
        self.database = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        while subprocess.run([BIN + "/pg_isready", *"-q -h /mnt/pg -U postgres".split()]).returncode:
            time.sleep(0.1)

    def stop_database(self, is_killed=False):
        if is_killed:
            # Stopped, they can't restart one another meanwhile.
            for pid in signal_all(self.database.pid, signal.SIGSTOP):
                signal_to(pid, signal.SIGKILL)
        else:
            self.database.send_signal(signal.SIGINT)
        self.database.wait()

    def start(self, host):
        command = ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', host, self.lull, "run", "jobs.yaml", "--state", f"/mnt/{host}/state"]
        log = open(f"{FOLDER}/{host}.log", "a")
        self.hosts[host] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/mnt/" + host)

    def stop(self, host, how=signal.SIGTERM):
        self.hosts[host].send_signal(how)
        if self.hosts[host].wait() != (0 if how == signal.SIGTERM else -how):
            self.crashes.append(f"{host} exited with {self.hosts[host].returncode}")

    def acts(self, kind, host, pid):
        """What begins and what ends a fault."""
        def freeze(send, *root):
            return lambda: send(*root, signal.SIGSTOP), lambda: send(*root, signal.SIGCONT)

        def drain(word):
            return lambda: self.tell("fleet", word, host, "--database", DATABASE, check=False)

        process, proxy, soon = self.hosts[host], self.proxies[host], self.loop.call_soon_threadsafe
        kill = (lambda: signal_to(pid, signal.SIGKILL)), (lambda: None)
        return {
            "freeze host": freeze(process.send_signal),
            "sleep": freeze(signal_all, process.pid),
            "kill host": (lambda: self.stop(host, signal.SIGKILL), lambda: self.start(host)),
            "stop host": (lambda: self.stop(host), lambda: self.start(host)),
            "pause proxy": (lambda: soon(proxy.open.clear), lambda: soon(proxy.open.set)),
            "cut proxy": (lambda: soon(proxy.cut, True), lambda: soon(proxy.cut, False)),
            "freeze database": freeze(signal_all, self.database.pid),
            "kill database": (lambda: self.stop_database(is_killed=True), self.start_database),
            "restart database": (self.stop_database, self.start_database),
            "drain": (drain("drain"), drain("resume")),
        }.get(kind) or (freeze(signal_to, pid) if kind.startswith("freeze") else kill)

    def fault(self, after, kind, host, lasts):
        time.sleep(after)
        run = None
        if kind in ON_RUN:
            # The run that this host began last, or else the next host's.
            order = HOSTS[HOSTS.index(host):] + HOSTS[:HOSTS.index(host)]
            runs = [run for run in reversed(self.watch.runs) if run.over is None and run.supervisor > 1]
            run = min(runs, key=lambda run: order.index(run.host), default=None)
            if not run:
                return self.log(f"not done, as no run is under way: {kind}")
            host, lasts = run.host, 1 if kind.startswith("kill") else lasts
        pid = getattr(run, kind.split()[1]) if run else 0
        begin, end = self.acts(kind, host, pid)
        host = "" if kind in ON_DATABASE else host
        fault = types.SimpleNamespace(kind=kind, host=host, pid=pid, begin=now(), end=None)
        self.faults.append(fault)
        self.log(f"begins: {kind}{host and f' of {host}'} for {lasts} s{f': {run}, pid {pid}' if run else ''}")
        begin()
        time.sleep(lasts)
        end()
        fault.end = now()
        self.log(f"ends: {kind}{host and f' of {host}'}")

    def live(self, seed, minutes):
        for host in HOSTS:
            self.start(host)
        while len({run.host for run in self.watch.runs}) < len(HOSTS):
            time.sleep(0.1)
        self.first, until = time.time(), now() + minutes * 60
        for faults in program(seed):
            if now() > until:
                return
            threads = [threading.Thread(target=self.fault, args=fault) for fault in faults]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def end(self):
        """Waits until all slots that are due have ended; returns all that is to be judged."""
        for host in HOSTS:
            self.tell("fleet", "resume", host, "--database", DATABASE, check=False)
        last = int(self.sql("select clock()")[0][0])
        self.log("The faults are over. Waits for all slots that are due.")
        due = f"(state = 'open' and target = '' and nominal <= {last}) or (state = 'leased' and number <= {last})"
        until = now() + 600
        while (left := self.sql(f"select task, nominal, state from slot where {due}")) and now() < until:
            time.sleep(1)
        time.sleep(30)  # The hosts send their last events.
        night = json.loads(self.tell("night", "--fleet", "--json", "--span", "day"))
        history = [json.loads(line) for line in self.tell("history", "--fleet", "--json", "--events", "--limit", "0").splitlines()]
        for name, count in self.sql("select name, count(distinct place) from host group by 1 having count(distinct place) > 1"):
            self.crashes.append(f"{name} has had {count} places, and should keep the first")
        for host in HOSTS:
            self.stop(host)
        fields = f"replace(task, '{APP}.', ''), target, nominal, state, coalesce(number, 0), attempt, reason"
        slots = self.sql(f"select {fields} from slot where nominal <= {last} order by nominal")
        self.stop_database()
        time.sleep(1)
        return types.SimpleNamespace(
            first=self.first, last=last, left=left, unrun=night["unrun_slots"], history=history, slots=slots, begun=time.time() - now(),
            runs=self.watch.runs, faults=self.faults, crashes=self.crashes,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lull")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if "LULL_INSIDE" not in os.environ:
        os.environ["LULL_INSIDE"] = "1"
        os.execvp("unshare", "unshare -m -n -p --fork --kill-child --mount-proc sh -c".split() + ['"$@"; exit $?', "sh", sys.executable, *sys.argv])
    os.setsid()  # Or a shell that ends while a process is frozen would end them all.
    fleet = Fleet(os.path.abspath(arguments.lull))
    fleet.prepare()
    fleet.log(f"seed {arguments.seed}, {arguments.minutes} minutes")
    fleet.live(arguments.seed, arguments.minutes)
    with open(FOLDER + "/facts", "wb") as file:
        pickle.dump(fleet.end(), file)
    sys.exit(1 if judge(FOLDER) else 0)
