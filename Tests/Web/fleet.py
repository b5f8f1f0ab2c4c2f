"""The fleet's part of the page: three hosts, a thousand, none, and a database that is away. The answers are made up, as
`FleetGrid` has them: what stands in a database is what other tests are about."""

import json

TASKS = ["com.example.Reports.nightly_report", "com.example.Backup.pg_dump_shop", "com.example.Backup.rsync_offsite",
         "com.example.Shop.stock_import_from_supplier_northwind", "com.example.Shop.queue_worker"]
AWAY = "Can't connect to the fleet's database (host=db.example.org dbname=lull): connection refused. See that the server runs and listens there."
NONE = {"launched": 0, "succeeded": 0, "failed": 0, "cut_short": 0, "given_up": 0}

# Takes the place of what the host would answer about the fleet; the rest is the host's own.
SCRIPT = """
(() => {
  const ask = window.fetch.bind(window);
  window.asked = [];
  window.fetch = async (path, ...rest) => {
    const url = new URL(path, location.href);
    if (url.pathname === "/api/status") {
      const answer = await ask(path, ...rest);
      return Response.json({ ...await answer.json(), fleet: "production_eu" }, { status: answer.status });
    }
    if (url.pathname !== "/api/fleet") return ask(path, ...rest);
    window.asked.push(Object.fromEntries(url.searchParams));
    if (window.away) return Response.json({ error: window.away }, { status: 503 });
    const find = url.searchParams.get("find").toLowerCase();
    const grid = window.grid;
    return Response.json(find ? { ...grid, rows: grid.all.filter((row) => row.host.includes(find)).slice(0, 60), more_hosts: 0 } : grid);
  };
})();
"""


def tally(**counts):
    return {**NONE, "launched": sum(counts.values()), **counts}


def row(host, lanes, state="lives", ago=4000):
    total = dict(NONE)
    for lane in filter(None, lanes):
        for key, count in lane.items():
            total[key] += count
    return {"host": host, "place": "9f2c41aa", "state": state, "ago": ago, "tally": total, "lanes": lanes}


def grid(rows, tasks, hosts, shown=60, **more):
    def is_well(one):
        return one["state"] != "silent" and not any(one["tally"][key] for key in ("failed", "cut_short", "given_up"))
    columns = sorted(range(len(tasks)), key=lambda index: -sum(one["lanes"][index]["failed"] for one in rows if one["lanes"][index]))
    tasks = [tasks[index] for index in columns]
    for one in rows:
        one["lanes"] = [one["lanes"][index] for index in columns]
    order = sorted(rows, key=lambda one: (-one["tally"]["failed"], -one["tally"]["given_up"], one["state"] != "silent"))
    seen = order if hosts <= shown else [one for one in order if not is_well(one)][:shown]
    lanes = [[one["lanes"][index] for one in rows if one["lanes"][index]] for index in range(len(tasks))]
    return {"from": "2026-11-25T21:00:00Z", "to": "2026-11-26T07:00:00Z", "hosts": hosts, "well": sum(map(is_well, rows)),
            "silent": sum(one["state"] == "silent" for one in rows), "draining": sum(one["state"] == "draining" for one in rows),
            "leased": 0, "open": 0, "more_tasks": 0, "more_hosts": hosts - len(seen), "rows": seen, "all": rows,
            "tasks": [{"task": task, "tally": {key: sum(one[key] for one in lane) for key in NONE}} for task, lane in zip(tasks, lanes)], **more}


def few():
    return grid([
        row("web1.example.org", [tally(succeeded=1), tally(succeeded=2, failed=1), None, tally(failed=4), tally(succeeded=112)]),
        row("web2.example.org", [None, tally(cut_short=1), tally(given_up=1), None, tally(succeeded=87, failed=3)], "silent", 2 * 3600000),
        row("db1.example.org", [None, None, {**NONE, "launched": 1}, None, tally(succeeded=96)], "draining"),
    ], TASKS, 3, leased=1, open=2)


def thousand():
    tasks = TASKS + [f"com.example.Team{number % 7}.task_number_{number}" for number in range(35)]

    def lane(host, index):
        if (host * 7 + index * 13) % 3 == 0:
            return None
        if host % 40 == 0 and index % 9 == host % 9:
            return tally(failed=1 + host % 5, succeeded=3)
        return tally(cut_short=1, succeeded=2) if host % 97 == 0 and index == 4 else tally(succeeded=1 + (host + index) % 30)
    rows = [row(f"rack{number // 40}-node{number:04}.eu.example.org", [lane(number, index) for index in range(len(tasks))],
                "silent" if number % 143 == 0 else "lives", 7200000 if number % 143 == 0 else 5000) for number in range(1000)]
    return grid(rows, tasks, 1000, leased=214, open=31, more_tasks=12)


def quiet():
    return grid([row(f"node{number}", [tally(succeeded=3)]) for number in range(200)], TASKS[:1], 200)


def show(page, host, answer, is_there="document.querySelector('table.grid tbody tr')", find=""):
    page.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT + f"window.grid = {json.dumps(answer)};")
    page.open(host.base + "/#/fleet" + find)
    page.until(is_there, "the fleet")
