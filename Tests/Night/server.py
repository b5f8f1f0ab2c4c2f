"""An hour of the server in docs/server.md, with eleven faults: `Tests/Night/server.py .build/debug/lull`, as root.

The manifest is the page's own, and so are the programs that it names: PostgreSQL, nginx, restic, logrotate, goaccess, rsync,
openssl and git do their work, from 01:58 to 02:58 by a clock that `clock.c` moves. `lull simulate` plays a month of it before.
After the hour, what `lull night`, `why` and the mails say is printed and compared with the faults.
"""

import os
import re
import signal
import subprocess
import sys

from night import HERE, LULL, Night, enter, put, run

PAGE = os.path.normpath(HERE + "/../../docs/server.md")
CLUSTER = "/usr/lib/postgresql/15/bin/"
PACKAGES = "logrotate rsync restic goaccess python3-holidays file".split()

# What the server has of its own, beside Debian's programs.
OWN = {
    "renew": 'count=$(cat /mnt/renewals 2>/dev/null || echo 0); echo $((count + 1)) >/mnt/renewals\n'
    '[ "$count" -ge 2 ] || { echo "acme: 503, try again later" >&2; exit 75; }\necho renewed',
    "thumbnails": "exec /usr/bin/python3 -c 'import time\nwhile time.process_time() < 12: pass'",
    "dedupe": "echo comparing; exec sleep 1000",
    "catalogue": "exec /usr/bin/python3 -c 'pages = bytearray(400 << 20)'",
    "mails": "echo \"$QUEUE\"; ls /var/spool",
}
# For each fault, the place and words of its report; `not`: words that must not occur.
SAID = {
    "the password's file is gone": [
        ("before: launch org.example.Backup.files", "succeeded"),
        ("night", r"Backup\.files failed .*/etc/backup/password"), ("why org.example.Backup.files", "/etc/backup/password"),
        ("mails", r"Backup\.files"), ("night", r"Backup\.prune failed .*/etc/backup/password"), ("night", r"Watch\.no_backup ran"),
    ],
    "a busy group": [("during: why sales", r"waits for org\.example\.Dump\.database, which has had the group disk since 02:00")],
    "a log that can't be read": [
        ("night", r"Web\.report failed"), ("night", r"Web\.publish did not run .*report failed"), ("why org.example.Web.publish", "report failed"),
    ],
    "an authority that is busy": [("night", r"Web\.renew ran Ran 3 times, 2 failed; .* succeeded")],
    "a command that hangs": [("night", r"Uploads\.dedupe failed .*time limit of 2 min"), ("mails", "dedupe.*time limit")],
    "too much memory": [("night", r"Uploads\.catalogue failed .*may use 128 MiB"), ("mails", "catalogue"), ("not night", r"Uploads\.sizes failed")],
    "too much of the processor": [("during: why thumbnails", "has used .* of the processor in the last 1 h, and may use 20 s")],
    "a file of variables with an error": [("a command that hangs: status", "/etc/default/watch:2: this line is not NAME=VALUE"), ("mails", "Watch.mails recovered")],
    "nginx is away": [("night", r"Web\.probe ran .* 3 failed; .* succeeded"), ("mails", "Failed to connect to 127.0.0.1 port 8088"), ("mails", "probe recovered")],
    "a holiday": [("not mails", "overdue"), ("during: why office", "1 Jan is .* in holidays.ics"), ("not night", "office failed")],
    "a wrong parameter": [("during: launch sales --param day=tomorrow", "'tomorrow' is no value .*yesterday")],
}


class Server(Night):
    def make(self):
        text = re.search(r"```yaml\n(version: 1\n.*?)```", open(PAGE).read(), re.S).group(1)
        # Mail goes to a file; the hour is on New Year's Day in the clock of this machine.
        return text.replace("mail: ops@example.org", "command: [/mnt/bin/mail]").replace("Europe/Berlin", "UTC")

    def furnish(self):
        """Everything that the manifest names."""
        for place in ("/srv", "/usr/local/bin", "/var/log/nginx", "/root"):
            kept = "/mnt/under" + place
            os.makedirs(kept)
            if place == "/usr/local/bin":
                run("cp", "-a", place + "/.", kept)
            run("mount", "--bind", kept, place)
        for name, text in OWN.items():
            put("/usr/local/bin/" + name, f"#!/bin/sh\n{text}\n", 0o755)
        put("/mnt/bin/mail", "#!/bin/sh\nexec >>/mnt/mails; cat; echo\n", 0o755)
        put("/mnt/mails", "", 0o666)
        for place in "www/html www/log www/sessions www/cache www/data www/code uploads/in uploads/done backups mirror/html mirror/uploads".split():
            os.makedirs("/srv/" + place)
        put("/srv/www/html/index.html", "shop\n")
        put("/srv/www/index.html", "shop\n")
        put("/srv/uploads/done/photo", "x" * 1_000_000)
        put("/srv/www/log/access.log", "what is this line?\n" * 50)
        run("sqlite3", "/srv/www/data/search.sqlite", "create table words (word)")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        run("git", "init", "--bare", "-q", "/srv/origin")
        run("git", "clone", "-q", "/srv/origin", "/srv/www/code", **quiet)
        run("chown", "-R", "www-data:", "/srv/www", "/srv/uploads", "/srv/mirror", "/srv/origin")
        os.makedirs("/etc/backup")
        put("/etc/backup/settings", "RESTIC_REPOSITORY=/srv/backups/restic\n")
        put("/etc/backup/password", "a long password\n", 0o600)
        put("/etc/default/watch", "QUEUE=deferred\n")
        put("/etc/logrotate-web.conf", "/srv/www/log/access.log { su www-data www-data\n size 1\n rotate 9\n create\n }\n")
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=shop.example.org",
            "-keyout", "/etc/ssl/shop.key", "-out", "/etc/ssl/shop.pem", **quiet)
        put("/etc/nginx-shop.conf", "pid /mnt/nginx.pid; error_log /mnt/nginx.log; events {}\n"
            "http { access_log off; server { listen 127.0.0.1:8088; root /srv/www/html; } }\n")
        run("restic", "init", "-q", "-r", "/srv/backups/restic", "--password-file", "/etc/backup/password")
        holidays = (
            "import holidays\nprint('BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//example.org//EN\\r')\n"
            "for day, name in sorted(holidays.CountryHoliday('DE', years=[2026, 2027]).items()):\n"
            "    print(f'BEGIN:VEVENT\\r\\nUID:{day}@example.org\\r\\nDTSTART;VALUE=DATE:{day:%Y%m%d}\\r\\nSUMMARY:{name}\\r\\nEND:VEVENT\\r')\n"
            "print('END:VCALENDAR\\r')"
        )
        put("/mnt/holidays.ics", run("/usr/bin/python3", "-c", holidays, capture_output=True).stdout)
        os.makedirs("/mnt/cluster")
        os.makedirs("/var/run/postgresql", exist_ok=True)
        run("chown", "postgres:", "/mnt/cluster", "/var/run/postgresql")
        self.postgres(CLUSTER + "initdb", "-D", "/mnt/cluster", "-A", "trust")
        self.postgres(CLUSTER + "pg_ctl", "-D", "/mnt/cluster", "-w", "-o", "-c listen_addresses= -p 5432 -k /var/run/postgresql", "-l", "/mnt/cluster/log", "start")
        self.postgres("psql", "-c", "create database shop")
        self.postgres("psql", "-d", "shop", "-c", "create table orders as select 1.5 as total, true as paid; "
                      "create table stock as select 'a' as sku, 3 as amount, 0 as reserved; create table shifts as select 8 as hours")
        run("nginx", "-c", "/etc/nginx-shop.conf")

    def postgres(self, *command):
        run("setsid", "/usr/sbin/runuser", "-u", "postgres", "--", *command, stdout=subprocess.DEVNULL, cwd="/")

    def live(self):
        self.set("2027-01-01 01:58:00")
        print(self.lull("check", "jobs.yaml"))
        self.start()

        self.ask("launch", "org.example.Backup.files", about="before")
        self.at("01:59:00")
        self.begin("a busy group")
        # Somebody has locked a table, so the dump waits.
        lock = subprocess.Popen(["/usr/sbin/runuser", "-u", "postgres", "--", "psql", "-d", "shop", "-c",
                                 "begin; lock table orders; select pg_sleep(150)"], stdout=subprocess.DEVNULL, cwd="/")
        self.begin("the password's file is gone")
        os.rename("/etc/backup/password", "/etc/backup/password.old")
        for fault in ("a log that can't be read", "an authority that is busy", "too much of the processor", "a command that hangs", "too much memory"):
            self.begin(fault)
        self.at("02:01:20")
        self.ask("why", "sales", about="during")
        self.end("a busy group", "org.example.Backup.files")
        lock.wait()
        self.at("02:12:40")
        self.ask("why", "thumbnails", about="during")
        self.ask("cost", about="during")
        self.begin("nginx is away")
        run("nginx", "-s", "quit", "-c", "/etc/nginx-shop.conf")
        self.at("02:15:30")
        self.end("nginx is away", "org.example.Web.probe")
        run("nginx", "-c", "/etc/nginx-shop.conf")
        self.begin("a file of variables with an error")
        put("/etc/default/watch", "QUEUE=deferred\nexport\n")
        self.at("02:18:30")
        self.begin("a wrong parameter")
        self.ask("launch", "sales", "--param", "day=tomorrow", about="during")
        self.ask("launch", "sales", "--param", "day=2026-12-24", about="during")
        self.end("a wrong parameter")
        self.at("02:23:00")
        self.end("a command that hangs", "org.example.Uploads.dedupe")
        put("/srv/uploads/in/letter", "a letter\n")
        self.at("02:36:00")
        self.begin("a holiday")
        self.ask("why", "office", about="during")
        self.end("a holiday")
        put("/etc/default/watch", "QUEUE=deferred\n")
        self.at("02:58:00")

    def read(self):
        self.ask("night")
        for task in ("Backup.files", "Backup.prune", "Web.publish", "Web.report", "Web.renew", "Web.probe", "Uploads.dedupe", "Watch.mails"):
            self.ask("night", "org.example." + task)
            self.ask("why", "org.example." + task)
        self.ask("status")
        self.ask("cost")
        self.ask("history", "--grep", "503")
        self.said["mails"] = open("/mnt/mails").read()
        print("\n==== The mails\n" + self.said["mails"])
        self.stop(signal.SIGTERM)


if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES, stdout=subprocess.DEVNULL)
        enter()
    server = Server()
    server.prepare()
    server.furnish()
    server.set("2026-12-01 09:00:00")
    print(server.lull("simulate", "--days", "31", "jobs.yaml"))
    server.live()
    server.read()
    sys.exit(1 if server.judge(SAID) else 0)
