"""A host with 2,000 tasks in 40 apps, of which 175 failed: what its page costs a browser. `python3 thousands.py LULL` prints it;
`make web-test` checks what does not depend on the machine's speed."""

import datetime
import json
import sys
import tempfile
import time

import chromium
import showcase

APPS, EACH, FAILED = 40, 50, 175
HEADING = "document.querySelector('#night-title') && document.querySelector('#now-title')"


def names():
    return [(f"com.example.Tenant{app:02}", f"job_{task:02}") for app in range(APPS) for task in range(EACH)]


class Thousands(showcase.Showcase):
    def manifest(self, plugins):
        lines = ["version: 1", "apps:"]
        for app, task in names():
            if task == "job_00":
                lines += [f"  {app}:", f"    plugin: {plugins}/libCommand.so", "    user: host", "    idle_after: never", "    concurrency: 4", "    tasks:"]
            lines.append(f'      {task}: {{ kind: processing, at: "{len(lines) % 60} 3 * * *", missed: skip, requires: {{ idle: false }}, settings: {{ run: ["/bin/true"] }} }}')
        # One task runs all the time, so that the page has changes to show.
        lines += ["  com.example.Ticker:", f"    plugin: {plugins}/libCommand.so", "    user: host", "    idle_after: never", "    tasks:",
                  '      tick: { kind: processing, repeat: 1s, requires: { idle: false }, settings: { run: ["/bin/true"] } }']
        return "\n".join(lines) + "\n"

    def history(self, now):
        n = showcase.Night(now.replace(hour=0, minute=0, second=0, microsecond=0))
        begin = now - datetime.timedelta(hours=8)
        for index, (app, task) in enumerate(names()):
            at = begin + datetime.timedelta(seconds=index)
            fails = index % (APPS * EACH // FAILED) == 0 and index // (APPS * EACH // FAILED) < FAILED
            outcome, reason = ("failed", "the command exited with code 1; it printed last: disk full") if fails else ("succeeded", "the command exited with code 0")
            request = n.submit(at, app, task, origin="at")
            n.ran(at, app, task, 2, outcome, reason, request=request, occurrence={"time": showcase.stamp(at)})
        return n


def measured(browser, host):
    """Seconds to the headings; bytes to then; bytes a second while the host changes; MB of the renderer; pixels above "Now"."""
    with browser.page() as page:
        page.call("Network.enable")
        browser.events.clear()
        began = time.monotonic()
        page.open(host.url)
        page.until(HEADING, "the overview")
        heading = time.monotonic() - began
        first = received(browser)
        began = time.monotonic()
        while time.monotonic() - began < 20:
            page.run("new Promise((done) => setTimeout(done, 500))")
        live = received(browser) / (time.monotonic() - began)
        page.call("HeapProfiler.collectGarbage")
        return {
            "heading_s": round(heading, 2), "first_kB": round(first / 1000), "live_kB_s": round(live / 1000, 1),
            "renderer_MB": renderer(browser), "px_above_now": page.run("Math.round(document.querySelector('#now-title').getBoundingClientRect().top + scrollY)"),
            "rows": page.run("document.querySelectorAll('.lane, .brief, table.now tbody tr').length"),
            "tally": page.run("document.querySelector('.tally').textContent"),
            "piles": page.run("[...document.querySelectorAll('.pile')].filter((one) => one.getBoundingClientRect().height > 1).length"),
            "runs": page.run("document.querySelector('.piles + .sum')?.textContent"),
        }


def received(browser):
    """The bytes that came over the network since the last call."""
    seen = [event["params"] for event in browser.events if event["method"] == "Network.dataReceived"]
    browser.events.clear()
    return sum(one["encodedDataLength"] for one in seen)


def renderer(browser):
    """The largest renderer's own memory, in MB."""
    most = 0
    for process in browser.call("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] != "renderer":
            continue
        with open(f"/proc/{process['id']}/smaps_rollup") as file:
            most = max(most, sum(int(line.split()[1]) for line in file if line.startswith("Private_")))
    return round(most / 1000)


def costs(browser, host, check):
    found = measured(browser, host)
    check("a page of 2,000 tasks begins with at most 300 kB", found["first_kB"] <= 300, found)
    check("its changes take at most 20 kB/s", found["live_kB_s"] <= 20, found)
    check("all runs are drawn over the span", found["piles"] >= 3 and f"{FAILED} of them failed" in found["runs"], found)
    check("the browser takes at most 250 MB for it", found["renderer_MB"] <= 250, found)
    check("it lists some of what failed, and counts all", found["rows"] < 100 and found["tally"].startswith(f"{FAILED} failed"), found)
    with browser.page() as page:
        page.open(host.url)
        page.until(HEADING, "the overview")
        page.run("document.querySelector('.part [data-key=more]').click()")
        page.until(f"document.querySelectorAll('.lane.failed').length === {FAILED}", "all that failed")
        page.run("location.hash = '#/?find=tenant39.job_49'")
        page.until("document.querySelectorAll('.night .name').length === 1", "one task among 2,000")
        page.until("document.querySelector('[data-key=\"now-com.example.Tenant39.job_49\"]')", "its row")
        page.run("location.hash = '#/history'")
        page.until("document.querySelectorAll('[data-key=by-task] option').length > 2000", "every task in the history's filter")
        page.run("location.hash = '#/app/com.example.Tenant39'")
        page.until("document.querySelectorAll('#its-title ~ table tbody tr').length === 50", "the tasks of one app")


def main():
    host = Thousands(tempfile.mkdtemp(prefix="lull-web-") + "/host", sys.argv[1])
    browser = chromium.Browser()
    try:
        print(json.dumps(measured(browser, host)))
    finally:
        browser.close()
        host.close()


PARTS = (costs,)

if __name__ == "__main__":
    main()
