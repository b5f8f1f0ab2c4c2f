"""Tests the fleet's part of the page: three hosts, a thousand, none, and a database that does not answer. The answers are
samples in the form of `FleetGrid`; other tests cover the database."""

import json

TASKS = ["com.example.Reports.nightly_report", "com.example.Backup.pg_dump_shop", "com.example.Backup.rsync_offsite",
         "com.example.Shop.stock_import_from_supplier_northwind", "com.example.Shop.queue_worker"]
AWAY = "Can't connect to the fleet's database (host=db.example.org dbname=lull): connection refused. Make sure that the server runs and listens there."
NONE = {"launched_count": 0, "succeeded_count": 0, "failed_count": 0, "cut_short_count": 0, "given_up_count": 0}

# Replaces the host's answers about the fleet; all other answers are the host's own.
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
    if (window.away) return Response.json({ error: { message: window.away, status: 503 } }, { status: 503 });
    const find = url.searchParams.get("find").toLowerCase();
    const grid = window.grid;
    return Response.json(find ? { ...grid, rows: grid.all.filter((row) => row.host.includes(find)).slice(0, 60), more_host_count: 0 } : grid);
  };
})();
"""


def tally(**counts):
    return {**NONE, "launched_count": sum(counts.values()), **{key + "_count": count for key, count in counts.items()}}


def row(host, lanes, state="lives", ago=4000):
    total = dict(NONE)
    for lane in filter(None, lanes):
        for key, count in lane.items():
            total[key] += count
    return {"host": host, "place": "9f2c41aa", "state": state, "ago_ms": ago, "tally": total, "lanes": lanes}


def grid(rows, tasks, hosts, shown=60, **more):
    def is_well(one):
        return one["state"] != "silent" and not any(one["tally"][key] for key in ("failed_count", "cut_short_count", "given_up_count"))
    columns = sorted(range(len(tasks)), key=lambda index: -sum(one["lanes"][index]["failed_count"] for one in rows if one["lanes"][index]))
    tasks = [tasks[index] for index in columns]
    for one in rows:
        one["lanes"] = [one["lanes"][index] for index in columns]
    order = sorted(rows, key=lambda one: (-one["tally"]["failed_count"], -one["tally"]["given_up_count"], one["state"] != "silent"))
    seen = order if hosts <= shown else [one for one in order if not is_well(one)][:shown]
    lanes = [[one["lanes"][index] for one in rows if one["lanes"][index]] for index in range(len(tasks))]
    return {"from": "2026-11-25T21:00:00Z", "to": "2026-11-26T07:00:00Z", "host_count": hosts, "well_count": sum(map(is_well, rows)),
            "silent_count": sum(one["state"] == "silent" for one in rows), "draining_count": sum(one["state"] == "draining" for one in rows),
            "leased_count": 0, "open_count": 0, "more_task_count": 0, "more_host_count": hosts - len(seen), "rows": seen, "all": rows,
            "tasks": [{"task": task, "tally": {key: sum(one[key] for one in lane) for key in NONE}} for task, lane in zip(tasks, lanes)], **more}


def few():
    return grid([
        row("web1.example.org", [tally(succeeded=1), tally(succeeded=2, failed=1), None, tally(failed=4), tally(succeeded=112)]),
        row("web2.example.org", [None, tally(cut_short=1), tally(given_up=1), None, tally(succeeded=87, failed=3)], "silent", 2 * 3600000),
        row("db1.example.org", [None, None, {**NONE, "launched_count": 1}, None, tally(succeeded=96)], "draining"),
    ], TASKS, 3, leased_count=1, open_count=2, rollout={"is_well": False, "sentences": [
        "Manifest 7 (3e4f9a11), applied 2 min ago by ops@desk, was taken back: 3 of 12 runs failed on hosts that had it, where in the day before 2 in a hundred did. Manifest 6 is in force."]})


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
    return grid(rows, tasks, 1000, leased_count=214, open_count=31, more_task_count=12)


def quiet():
    return grid([row(f"node{number}", [tally(succeeded=3)]) for number in range(200)], TASKS[:1], 200)


TITLE = "document.querySelector('#fleet-title')"
ROWS = "[...document.querySelectorAll('table.grid tbody tr')]"


def show(page, host, answer, away=""):
    page.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT + f"window.grid = {json.dumps(answer)}; window.away = {json.dumps(away)};")
    page.open(host.base + "/#/fleet")
    page.until("document.querySelector('h1')", "the fleet")


def looks(browser, host, audit, check):
    for name, answer in (("three hosts", few()), ("a thousand", thousand()), ("none with trouble", quiet()), ("none", grid([], [], 0))):
        for width in (1280, 360):
            for dark in (False, True):
                with browser.page(width, 900, dark, reduced=True) as page:
                    show(page, host, answer)
                    wrong = page.run(audit)
                    check(f"the fleet with {name} at {width} px, {'dark' if dark else 'light'}, is sound", not wrong, "\n  ".join(wrong))
                    check("nothing was complained of", not page.faults(), page.faults())


def three(browser, host, check):
    with browser.page() as page:
        show(page, host, few())
        verdict = page.run("document.querySelector('.verdict').textContent")
        check("what concerns somebody comes first", verdict == "3 hosts, 2 with trouble, 1 silent, 1 draining, 1 run under way, 2 to be run.", verdict)
        names = page.run(ROWS + ".map((row) => row.querySelector('th').textContent)")
        check("failures come first", names == ["web1.example.org", "web2.example.org", "db1.example.org"], names)
        lines = page.run(ROWS + ".map((row) => row.innerText.replaceAll(/\\s+/g, ' '))")
        check("a silent host says since when", "silent since " in lines[1], lines)
        sum = page.run(ROWS + "[0].querySelector('.ends').textContent")
        check("signs have words for who does not see them", sum == "✗failed 5✓ran 115", sum)
        key = page.run("[...document.querySelectorAll('.fleet .key li')].map((one) => one.lastChild.textContent).join()")
        check("and for who does", key == "failed,given up,cut short,ran well,under way", key)
        check("the worst of a lane does not hide the rest", page.run(ROWS + "[0].querySelector('td:nth-of-type(5) > span').title") == "1 failed, 2 ran well")


def thousands(browser, host, check):
    with browser.page() as page:
        show(page, host, thousand())
        check("those with trouble have a row", page.run(ROWS + ".length") == 30)
        check("and fit on two screens", page.run("document.documentElement.scrollHeight") < 1800)
        check("each row is a line", page.run(f"Math.max(...{ROWS}.map((row) => row.getBoundingClientRect().height))") < 30)
        check("the others are counted", "970 more hosts; find one by its name." in page.run("document.querySelector('.fleet').innerText"))
        page.run("document.querySelector('[data-key=find]').focus()")
        for letter in "node0777":
            page.type(letter)
        page.until(f"{ROWS}.length === 1 && {ROWS}[0].innerText.includes('rack19-node0777')", "a host by its name")
        check("the field keeps the focus", page.run("document.activeElement.dataset.key + document.activeElement.value") == "findnode0777")
        check("and what is looked for stands in the address", page.run("location.hash") == "#/fleet?find=node0777")
        page.press("Tab")
        check("the grid is the next stop", page.run("document.activeElement.dataset.key") == "grid")
        page.until("document.activeElement.scrollLeft > 0", "that an arrow moves it", press="ArrowRight")
        # It goes on moving though the page is drawn anew in the middle of the way.
        page.run("dispatchEvent(new Event('hashchange'))")
        page.until("document.querySelector('[data-key=grid]').scrollLeft >= 40", "that it moves the whole way")
        left = "document.querySelector('table.grid tbody th').getBoundingClientRect().left"
        check("and the host's name stays", page.run(left) >= 0, page.run(left))
        page.run("document.querySelector('[data-key=span-week]').click()")
        page.until("window.asked.at(-1).span === 'week'", "another span")
    with browser.page(360) as page:
        show(page, host, thousand())
        lanes = page.run(f"[...{ROWS}[0].querySelectorAll('td')].filter((cell) => cell.offsetHeight).length")
        check("where there is little room, what ran well is a sum", lanes == 7, lanes)


def without(browser, host, check):
    """Hosts without trouble, none at all, and no database."""
    for answer, sentence in ((quiet(), "No host has trouble."), (grid([], [], 0), "No host has joined. One does when its manifest has fleet and it runs.")):
        with browser.page() as page:
            show(page, host, answer)
            check("that there is no row has a reason", sentence in page.run("document.querySelector('.fleet').innerText"))
    with browser.page() as page:
        show(page, host, few(), AWAY)
        check("a database that is away is said", AWAY in page.run("document.querySelector('main').innerText"))
        page.run("window.away = ''; dispatchEvent(new Event('hashchange'))")
        page.until(TITLE, "that it answers")
        page.run(f"window.away = {json.dumps(AWAY)}; dispatchEvent(new Event('hashchange'))")
        page.until("document.querySelector('.notice.trouble')", "that it is away again")
        notice = page.run("document.querySelector('.notice.trouble').textContent")
        check("what was known stays, as of when", AWAY in notice and "This is how it was at" in notice and page.run(ROWS + ".length") == 3, notice)


PARTS = (three, thousands, without)
