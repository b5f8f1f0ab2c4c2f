"""The tasks, faults and runs of `fleet.py`, and whether its ledger keeps the promises of docs/fleet.md.

`Tests/Night/fleet_ledger.py FOLDER` judges an earlier hour again, from what `fleet.py` wrote into the folder.
"""

import collections
import pickle
import sys
import time

APP = "org.example.Fleet"
# Each task's keys, and what its command does: the seconds that it takes, and its exit code.
AT = "kind: processing, scope: any_host, at: "
TASKS = {
    "minutely": (AT + '"* * * * *", missed: all, lease: 1m', "1", "0"),
    "skipping": (AT + '"* * * * *", missed: skip, lease: 1m', "2", "0"),
    "retried": (AT + '"* * * * *", missed: all, lease: 1m, retry: { attempts: 3 }', "3", "$((LULL_FENCE % 4 == 0))"),
    "long": (AT + '"*/2 * * * *", missed: all, lease: 1m', "$((20 + LULL_FENCE % 61))", "0"),
    "patient": (AT + '"*/3 * * * *", missed: all, lease: 2m', "$((60 + LULL_FENCE % 41))", "0"),
    "quick": ("kind: processing, scope: any_host, repeat: 5s, lease: 1m", "0.5", "0"),
    "fresh": ("kind: refresh, scope: any_host, repeat: 20s, min_gap: 5s, budget: 100, lease: 1m", "1", "0"),
    "two": ("kind: processing, repeat: 20s, concurrency: { fleet: 2 }, lease: 1m", "6", "0"),
    "turn": ("kind: processing, repeat: 20s, concurrency: { fleet: 1 }, lease: 1m", "2", "0"),
}
# A begin has the 0.01 s of /proc/uptime, and the end of a killed command is seen up to 0.04 s late.
CLOCK = 0.05
# How many runs of a task may be under way at once on all hosts. Their slots are each host's own.
LIMITS = {"two": 2, "turn": 1}
# The minutes between the times of `at`. Only a slot of the task `skipping` may be missed.
MINUTES = {"minutely": 1, "skipping": 1, "retried": 1, "long": 2, "patient": 3}
ON_HOST = ["freeze host", "kill host", "stop host", "sleep"]  # No two of these at once on one host.
ON_RUN = [f"{act} {what}" for act in ("freeze", "kill") for what in ("supervisor", "worker", "command")]
ON_DATABASE = ["freeze database", "kill database", "restart database"]
KINDS = ON_HOST * 2 + ON_RUN + ["pause proxy", "cut proxy"] * 2 + ON_DATABASE + ["drain"]


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


class Run:
    """A run of a command, as the ledger has it, and when its process ended."""

    def __init__(self, task, slot, fence, host, pid, begin):
        self.task, self.slot, self.fence, self.host, self.command, self.begin = task, int(slot), int(fence), host, int(pid), begin
        self.key = (task, int(slot), host if task in LIMITS else "")
        self.end = self.code = self.dead = None
        self.worker = parent(self.command)
        self.supervisor = parent(self.worker)

    def __str__(self):
        how = "runs" if self.over is None else "was killed" if self.code is None else f"ended with {self.code}"
        return f"{self.begin:.1f}-{self.over or 0:.1f} {self.task} {self.slot} {self.fence} on {self.host} {how}"

    @property
    def over(self):
        return self.dead if self.end is None else self.end


class Judge:
    """Compares the ledger with the promises of docs/fleet.md. A finding without an excuse breaks one."""

    def __init__(self, facts):
        self.facts, self.found, self.groups = facts, collections.Counter(), collections.defaultdict(list)
        for run in sorted(facts.runs, key=lambda run: run.begin):
            self.groups[run.key].append(run)

    def find(self, what, text, *runs, excuse=None):
        self.found[what, bool(excuse)] += 1
        print(f"\n{what}, {f'allowed, as {excuse}' if excuse else 'NOT ALLOWED'}: {text}")
        for run in runs:
            print(f"    {run}")
        begin, end = min((run.begin for run in runs), default=0), max((run.over or 1e9 for run in runs), default=0)
        for fault in self.during(begin - 40, end + 5, KINDS):
            if fault.host in ("", *(run.host for run in runs)):
                print(f"    fault {fault.begin:.1f}-{fault.end:.1f} {fault.kind} {fault.host} {fault.pid or ''}")

    def during(self, begin, end, kinds, **facts):
        """The faults of these kinds that overlap with this time."""
        faults = [fault for fault in self.facts.faults if fault.kind in kinds and fault.begin < end and fault.end > begin]
        return [fault for fault in faults if facts.items() <= vars(fault).items()]

    def spans(self, run):
        """When the run could do anything. A machine that sleeps does nothing, and ends a run within 3 s after it has woken."""
        spans = [(run.begin, run.over or 1e9)]
        for fault in self.during(*spans[0], ["sleep"], host=run.host):
            parts = [(max(begin, low), min(end, high)) for begin, end in spans for low, high in ((0, fault.begin), (fault.end + 3, 1e9))]
            spans = [(begin, end) for begin, end in parts if begin < end]
        return spans

    def hung(self, *runs):
        """docs/fleet.md promises nothing of a host that hangs or is killed while the run's supervisor hangs or is killed."""
        for run in runs:
            for fault in self.during(run.begin, run.over or 1e9, ON_HOST, host=run.host):
                if self.during(fault.begin, fault.end + 5, ["freeze supervisor", "kill supervisor"], pid=run.supervisor):
                    return "its supervisor hung or was killed while its host did"
        return None

    def unheard(self, run):
        """Whether a fault may have kept the host from reporting the end of the run."""
        pids = (run.command, run.worker, run.supervisor)
        faults = [fault for fault in self.during(run.over - 40, run.over + 10, KINDS) if fault.host in ("", run.host)]
        kinds = sorted({fault.kind for fault in faults if fault.pid in pids or (fault.kind not in ON_RUN and fault.kind != "drain")})
        return f"its host might not report it: {', '.join(kinds)}" if kinds else None

    def overlaps(self):
        for runs in self.groups.values():
            for run, other in ((run, other) for number, run in enumerate(runs) for other in runs[number + 1:]):
                length = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in self.spans(run) for b in self.spans(other))
                if length > CLOCK:
                    self.find("overlap", f"two runs of one slot for {length:.1f} s", run, other, excuse=self.hung(run, other))
        for task, limit in LIMITS.items():
            steps = [(at, is_begin, run) for run in self.facts.runs if run.task == task for span in self.spans(run) for is_begin, at in enumerate(span[::-1])]
            under_way = set()
            for at, is_begin, run in sorted(steps, key=lambda step: step[:2]):
                (under_way.add if is_begin else under_way.discard)(run)
                if is_begin and len(under_way) > limit:
                    self.find("overlap", f"{len(under_way)} runs of {task} at {at:.1f}", *under_way, excuse=self.hung(*under_way))

    def repeats(self):
        for runs in self.groups.values():
            for run, after in zip(runs, runs[1:]):
                if after.fence <= run.fence:
                    self.find("fence", "a later run has no greater number", run, after)
                if run.code == 0:
                    self.find("repeated", "the slot had ended well", run, after, excuse=self.unheard(run))

    def losses(self):
        slots = {(task, int(nominal), target): rest for task, target, nominal, *rest in self.facts.slots}
        for minute in range(int(self.facts.first) // 60 + 1, self.facts.last // 60000 + 1):
            for task in (task for task, minutes in MINUTES.items() if minute % minutes == 0):
                runs = self.groups.get((task, minute * 60000, ""), [])
                state, _, attempt, reason = slots.get((task, minute * 60000, ""), ("absent", 0, 0, ""))
                if state == "done" or (state != "absent" and task != "skipping" and any(run.code == 0 for run in runs)):
                    continue
                when, excuse = time.strftime("%Y-%m-%dT%H:%M:00", time.gmtime(minute * 60)), None
                named = [slot for slot in self.facts.unrun if slot["task"] == f"{APP}.{task}" and slot["nominal"].startswith(when)]
                if state == "failed" and int(attempt) >= 3:
                    excuse = "it was the third lease without a result"
                elif state == "failed" and runs and self.during(runs[-1].begin, runs[-1].over + 1, ["kill command"], pid=runs[-1].command):
                    excuse = "its command was killed"
                elif state == "failed" and runs and runs[-1].code and runs[-1].over + self.facts.begun > (minute + MINUTES[task]) * 60 - 10:
                    excuse = "the next time of at came, which drops the attempts that are left"
                elif task == "skipping" and reason and (runs or named or state == "skipped"):
                    excuse = "a time of missed: skip may pass by"
                self.find("lost", f"{task} at {when} is {state} after {attempt} leases: {reason}", *runs, excuse=excuse)
        ended = {(run.task, run.fence) for run in self.facts.runs if run.code == 0}
        for (task, nominal, _), (state, number, *_) in slots.items():
            if state == "done" and (task, int(number)) not in ended:
                self.find("done without a run", f"{task} {nominal} {number}")

    def judge(self):
        self.overlaps()
        self.repeats()
        self.losses()
        told = {(event["task"], event["slot"]["number"]) for event in self.facts.history if event["event"] == "launched" and "slot" in event}
        for run in self.facts.runs:
            if run.begin + self.facts.begun < self.facts.last / 1000 and (f"{APP}.{run.task}", run.fence) not in told:
                self.find("not in the history", "lull history --fleet does not have the run", run)
        for row in self.facts.left:
            self.find("lost", f"not ended ten minutes after the last fault: {' '.join(row)}")
        for crash in self.facts.crashes:
            self.find("crash", crash)
        print(f"\n{'task':10} {'slots':>6} {'runs':>6} {'ended well':>11} {'killed':>7}   latest begin")
        for task in TASKS:
            slots = {key: group for key, group in self.groups.items() if key[0] == task}
            codes = [run.code for group in slots.values() for run in group]
            late = max((group[0].begin + self.facts.begun - key[1] / 1000 for key, group in slots.items()), default=0)
            print(f"{task:10} {len(slots):6} {len(codes):6} {codes.count(0):11} {codes.count(None):7}", f"  {late:.0f} s after its time" * (task in MINUTES))
        kinds = collections.Counter(fault.kind for fault in self.facts.faults)
        print(f"\n{len(self.facts.faults)} faults: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
        for what in ("overlap", "lost", "repeated", "fence", "done without a run", "not in the history", "crash"):
            print(f"{what:20} {self.found[what, False]} not allowed, {self.found[what, True]} allowed")
        return any(not excused for _, excused in self.found)


def judge(folder):
    with open(folder + "/facts", "rb") as file:
        return Judge(pickle.load(file)).judge()


if __name__ == "__main__":
    sys.exit(1 if judge(sys.argv[1]) else 0)
