"""A host of a fleet, with a PostgreSQL of its own on a socket: it has run tasks, one failed, and it follows a manifest."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

import showcase

MANIFEST = """\
version: 1
fleet: {{ database: "host={database} user=lull dbname=postgres", follow: followed.yaml, labels: {{ zone: a }} }}
apps:
  com.example.Shared:
    plugin: {plugins}/libCommand.so
    user: host
    idle_after: never
    tasks:
      fails: {{ kind: processing, repeat: 1m, scope: any_host, requires: {{ idle: false }}, settings: {{ run: "echo it is broken; exit 3" }} }}
      lasts: {{ kind: processing, repeat: 1m, scope: any_host, requires: {{ idle: false }}, time_limit: 1h, settings: {{ run: "sleep 3600" }} }}
      waits: {{ kind: processing, repeat: 1m, scope: any_host, requires: {{ idle: false, external_power: true }}, settings: {{ run: "true" }} }}
      works: {{ kind: processing, repeat: 1m, requires: {{ idle: false }}, settings: {{ run: "echo done" }} }}
"""
FOLLOWED = """\
version: 1
apps:
  com.example.Followed:
    plugin: Command
    idle_after: never
    tasks:
      tidy: { kind: processing, repeat: 1d, requires: { idle: false }, settings: { run: "true" } }
"""


def binaries():
    """The folder of the newest installed PostgreSQL, or None."""
    found = [os.path.dirname(path) for path in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    return max(found, key=lambda path: float(path.split("/")[-2]), default=None)


class Database:
    """Runs as nobody if root starts it, because PostgreSQL refuses to run as root."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="lull-database-")
        self.before = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
            self.before = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        data = self.folder + "/data"
        self.call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8")
        self.server = subprocess.Popen(
            [*self.before, binaries() + "/postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off"],
            cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run([binaries() + "/pg_isready", "-q", "-h", self.folder]).returncode != 0:
            if self.server.poll() is not None:
                raise RuntimeError("PostgreSQL has ended")
            time.sleep(0.1)

    def call(self, program, *arguments):
        subprocess.run([*self.before, f"{binaries()}/{program}", *arguments], cwd="/", check=True, stdout=subprocess.DEVNULL)

    @property
    def owner(self):
        return f"host={self.folder} user=postgres dbname=postgres"

    def make_fleet(self, lull):
        subprocess.run([lull, "fleet", "init", "--database", self.owner, "--state", self.folder + "/none"], check=True, stdout=subprocess.DEVNULL)
        self.call("psql", "-h", self.folder, "-U", "postgres", "-d", "postgres", "-q", "-c",
                  "create role lull login; grant lull_lull_host, lull_lull_reader, lull_lull_operator to lull")

    def close(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Member(showcase.Showcase):
    def __init__(self, folder, program):
        self.database = Database()
        self.database.make_fleet(os.path.abspath(program))
        super().__init__(folder, program)
        self.wait(lambda fleet: bool(fleet.get("leased_slots") and fleet.get("failed_slots")), "status", "--fleet")
        # The host sends its history to the fleet in parts.
        self.wait(lambda run: "run" in run, "history", "1", "--fleet")
        self.wait(lambda night: bool(night.get("timelines")), "night", "--fleet")
        with open(folder + "/fleet.yaml", "w") as file:
            file.write(FOLLOWED)
        self.run("fleet", "apply", "fleet.yaml", "--now")

    def manifest(self, plugins):
        return MANIFEST.format(plugins=plugins, database=self.database.folder)

    def options(self):
        return [*super().options(), "--plugins", os.path.dirname(self.lull)]

    def close(self):
        super().close()
        self.database.close()
