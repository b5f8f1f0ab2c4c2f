"""Tests the page in a real browser: `make web-test`. Without Chromium it says so and succeeds.

Audits every part in wide and narrow, light and dark; uses the keyboard; launches with the token, and is refused without it;
waits for live changes; and checks that the output of plugins is shown as text."""

import json
import os
import sys
import tempfile

import chromium
import crowd
import first_look
import fleet
import newcomer
import showcase
import thousands

HERE = os.path.dirname(os.path.abspath(__file__))
with open(HERE + "/audit.js") as file:
    AUDIT = file.read().split("\n", 1)[1]
NIGHTLY, DIGEST, REPORT = "com.example.Backup.nightly", "com.example.Reports.mail_digest", "com.example.Reports.disk_report"
PARTS = {
    "#/": "document.querySelector('.night') && document.querySelector('table.now')",
    "#/task/" + NIGHTLY: "document.querySelector('table.gates')",
    "#/task/" + DIGEST: "document.querySelector('.run-line')",
    "#/app/com.example.ColorFeed": "document.querySelector('table.week')",
    "#/conditions": "document.querySelector('#conditions-title')",
    "#/history": "document.querySelector('#history-title')",
    "#/history?outcome=failed": "document.querySelector('[data-key=by-outcome]')?.value === 'failed'",
}
CROWD = {
    "#/": "document.querySelectorAll('.night .lane.failed').length === 3",
    "#/?span=day&open=night-ran,night-quiet,com.example.Shop": "document.querySelector('[data-key=span-day]')?.getAttribute('aria-pressed') === 'true'",
    "#/app/com.example.Backups": "document.querySelector('#its-title')",
    "#/history": "document.querySelectorAll('.run-line').length > 100",
    "#/conditions": "document.querySelector('#conditions-title')",
}
checks = 0


def check(claim, is_true, detail=""):
    global checks
    checks += 1
    if not is_true:
        raise AssertionError(f"{claim}: not so. {detail}")


def overview(page, host, token=True):
    page.open(host.url if token else host.base + "/")
    page.until(PARTS["#/"], "the overview")


def looks(browser, host, parts=PARTS, widths=(1280, 320)):
    for width in widths:
        for dark in (False, True):
            with browser.page(width, 900, dark, reduced=True) as page:
                overview(page, host)
                for part, is_there in parts.items():
                    page.run(f"location.hash = {part!r}")
                    page.until(is_there, part)
                    # Opens folded parts, to audit them too.
                    page.run("[...document.querySelectorAll('details')].forEach((part, index) => { if (index < 9 || !part.querySelector('.run-line')) part.open = true; })")
                    wrong = page.run(AUDIT)
                    check(f"{part} at {width} px, {'dark' if dark else 'light'}, is sound", not wrong, "\n  ".join(wrong))
                check("nothing was complained of", not page.faults(), page.faults())


def night(browser, host):
    with browser.page() as page:
        overview(page, host)
        lane = f"document.querySelector('a.name[href=\"#/task/{NIGHTLY}\"]').closest('li')"
        text = page.run(lane + ".querySelector('.sum').textContent")
        check("the reason stands beside the lane", text.startswith("Did not run: outside its hours") and "no external power 01:00–05:00" in text, text)
        check("a failure is marked", page.run("document.querySelectorAll('.lane.failed').length") == 1)
        check("and says its cause", page.run("document.querySelector('.lane.failed .quote').textContent") == "SMTP: connection refused")
        tally = page.run("document.querySelector('.tally').textContent")
        check("what was not due is not what did not run", tally == "1 failed, 2 did not run although due, 2 ran well, 2 had nothing due.", tally)
        keeps = page.run("document.querySelector('.readings').textContent")
        check("of the conditions only what keeps something waiting", "thumbnails waits for less load (load: " in keeps and "battery" not in keeps, keeps)
        page.run(lane + ".querySelector('a').click()")
        page.until("document.querySelector('#past-title')", "the task")
        remedies = page.run("[...document.querySelectorAll('.remedy')].map((one) => one.textContent)")
        check("no remedy is said twice, nor what a button does", sum("lull launch" in one for one in remedies) == 1 and not any(one.startswith("→ launch") for one in remedies), remedies)
        check("the title says which task", NIGHTLY in page.run("document.title"))
        hours = page.run("document.querySelector('[data-key=stretches]').innerText")
        check("hour by hour it says why", "the host runs on battery" in hours, hours)
        page.run("document.querySelector('[data-key=span-week]').click()")
        page.until("document.querySelector('[data-key=span-week]').getAttribute('aria-pressed') === 'true'", "another span")


def keyboard(browser, host):
    with browser.page() as page:
        overview(page, host)
        page.press("Tab")
        check("the first stop is the way to the content", page.run("document.activeElement.className") == "skip")
        page.press("Enter")
        check("it leads there", page.run("document.activeElement.id") == "main")
        stops = []
        for _ in range(80):
            page.press("Tab")
            stops.append(page.run("document.activeElement.dataset.key ?? document.activeElement.id"))
            outline = page.run("getComputedStyle(document.activeElement).outlineStyle")
            check("each stop is seen", stops[-1] == "" or outline != "none", stops[-1])
            if stops[-1] == "night-" + DIGEST:
                break
        check("a task is reached", stops[-1] == "night-" + DIGEST, stops)
        page.press("Enter")
        page.until("document.querySelector('.run-line')", "the task by its key")
        check("focus is on the content", page.run("document.activeElement.id") == "main")
        last = None
        for _ in range(120):
            page.press("Tab")
            stop = page.run("document.activeElement.dataset.key ?? document.activeElement.tagName")
            if stop == "BODY":
                break
            last = stop
        check("nothing holds the focus", stop == "BODY", last)


def untrusted(browser, host):
    with browser.page() as page:
        overview(page, host)
        # The history's own runs printed nothing; this one prints HTML that tries to become part of the page.
        page.run(f"location.hash = '#/task/{DIGEST}'")
        page.until("document.querySelector('[data-key=act-launch]')", "the task")
        row = "document.querySelector('.run-line:not(.head)')"
        before = page.run(row + ".dataset.key")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        page.until(f"{row}.dataset.key !== '{before}' && {row}.innerText.includes('failed')", "its run, by itself")
        last = page.run(row + ".querySelector('.last').textContent")
        check("its line says what it printed last", last == "SMTP: connection refused", last)
        newest = page.run(row + ".dataset.key")
        page.run(row + ".click()")
        whole = f"document.querySelector('[data-key={newest}]').parentElement"
        printed = whole + ".querySelector('[data-key^=pre-]')"
        page.until(printed, "what it printed")
        text = page.run(printed + ".textContent")
        origin = page.run(whole + ".querySelector('[data-key^=origin-]').textContent")
        check("where it came from is said", "jobs.yaml:" in origin, origin)
        events = page.run(whole + ".querySelector('table').innerText")
        check("its events stand beneath it", "launched" in events and "failed" in events, events)
        check("what is opened stands in the address", "run=" + newest[4:] in page.run("location.hash"))
        check("what it printed is shown as it is", "<script>document.title=1</script><img src=x" in text, text)
        check("and is no part of the page", page.run("document.querySelectorAll('main img, main script').length") == 0)
        check("nothing ran", page.run("document.title") != "1")
        check("what is folded out stays so", page.run(whole + ".open"))


def doors(browser, host):
    with browser.page() as page:
        overview(page, host, token=False)
        page.run(f"location.hash = '#/task/{REPORT}'")
        page.until("document.querySelector('[data-key=act-launch]')", "the task")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        told = "document.getElementById('token-said').textContent"
        page.until(told, "a refusal")
        check("it says what is needed", page.run(told) == "This needs the token.")
        check("and leads there", page.run("document.activeElement.id") == "token")
        check("and nothing covers the field", page.run(
            "(() => { const box = document.getElementById('token').getBoundingClientRect();"
            " return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.id })()") == "token")
        page.run(f"document.getElementById('token').value = '{'0' * 64}'; document.querySelector('#token-form button').click()")
        page.until(told + ".includes('not the token')", "a refusal of a wrong token")
        page.run(f"document.getElementById('token').value = '{host.token}'; document.querySelector('#token-form button').click()")
        page.until("document.querySelector('#said .well')", "a welcome")
        check("the refusal is taken back", page.run(told) == "")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        page.until("/run \\d+/.test(document.getElementById('said').textContent)", "a launch")


def forms(browser, host):
    with browser.page() as page:
        overview(page, host)
        # The task's form with a choice made, before and after an edit of the manifest that takes that choice away.
        asked, shown = page.run("""(async () => {
            const { params } = await import("/params.js");
            const asked = [], shown = [];
            for (const choices of [["info", "debug"], ["info", "trace"]]) {
                const now = { declared_params: [{ name: "level", default: "info", one_of: choices }], verdict: { gate_states: [] } };
                const part = params("com.example.Reports.levels", now, (path) => asked.push(path));
                const field = part.querySelector("select");
                if (asked.length === 0) {
                    field.value = "debug";
                    field.dispatchEvent(new Event("input"));
                }
                shown.push(field.value);
                part.querySelector("[data-key=params-submit]").click();
            }
            return [asked, shown];
        })()""")
        path = "/api/tasks/com.example.Reports.levels/submit"
        check("a choice is shown until the manifest has it no more", shown == ["debug", "info"], shown)
        check("what is shown is sent", asked == [path + "?params%5Blevel%5D=debug", path], asked)


def live(browser, host):
    with browser.page() as page:
        overview(page, host)
        check("the token left the address", "token" not in page.run("location.href"))
        page.until("document.getElementById('link').classList.contains('live')", "the connection")
        page.run("document.querySelector('[data-key=usedcom\\\\.example\\\\.Backup]').focus()")
        host.run("disable", "com.example.Photos")
        page.until("document.querySelector('[data-key=enablecom\\\\.example\\\\.Photos]')", "the change, by itself")
        check("focus stays where it was", page.run("document.activeElement.dataset.key") == "usedcom.example.Backup")
        host.run("enable", "com.example.Photos")
        page.until("document.querySelector('[data-key=disablecom\\\\.example\\\\.Photos]')", "the change back")


def ended(browser, host):
    with browser.page() as page:
        overview(page, host)
        host.end()
        page.until("!document.getElementById('link').classList.contains('live')", "the end of the host")
        page.until("document.querySelector('.notice.trouble')?.textContent.includes('does not answer')", "that nobody answers")
        check("what was known stays", "This is how it was at" in page.run("document.querySelector('.notice.trouble').textContent")
              and page.run("document.querySelectorAll('.night .lane.failed').length") == 1)


def many(browser, host):
    looks(browser, host, CROWD, (1280, 360))
    with browser.page() as page:
        overview(page, host)
        page.until(CROWD["#/"], "what failed")
        check("failures come first", page.run("document.querySelector('.night h2').textContent.startsWith('Failed')"))
        check("and are seen at once", page.run("[...document.querySelectorAll('.lane.failed')].every((one) => one.getBoundingClientRect().bottom < innerHeight)"))
        check("then what did not run although it was due", page.run("document.querySelectorAll('.lane.held').length") == 2)
        check("the rest is folded", page.run("[...document.querySelectorAll('.night details')].map((one) => one.open).join()") == "false,false")
        check("what had nothing due has no lane", page.run("document.querySelectorAll('.brief.quiet .strip').length") == 0)
        check("sixty tasks fit on two screens", page.run("document.documentElement.scrollHeight") < 1800)
        cause = page.run("document.querySelector('[data-key$=rsync_offsite]').closest('li').querySelector('.quote').textContent")
        check("a failure says its cause", "Connection timed out" in cause and "unexplained error (code 255)" in cause, cause)
        host.run("pause", "com.example.Media", "--for", "2h", "--reason", "new disk")
        page.until("document.querySelector('.notice')?.textContent.includes('com.example.Media is paused until')", "the pause, by itself")
        check("with its reason", "new disk" in page.run("document.querySelector('.notice').textContent"))
        host.run("resume", "com.example.Media")
        page.until("!document.querySelector('.notice')", "its end")
        tasks = [task["task"] for task in json.loads(host.run("status", "--json"))["tasks"]][:5]
        for task in tasks:
            host.run("pause", task, "--for", "2h")
        page.until("document.querySelector('.notice summary')?.textContent === '5 pauses hold tasks back'", "many pauses on one line")
        check("which names each", all(
            page.run(f"document.querySelector('details.notice').textContent.includes('{task} is paused until')") for task in tasks))
        for task in tasks:
            host.run("resume", task)
        page.until("!document.querySelector('.notice')", "their end")
    sent(browser, host)
    searched(browser, host)


def sent(browser, host):
    """The address contains the view: another reader who opens it sees the same."""
    with browser.page() as page:
        overview(page, host)
        page.run("document.querySelector('[data-key=find]').focus()")
        for letter in "borg":
            page.type(letter)
        page.until("document.querySelectorAll('.night .name').length === 4", "what is looked for")
        check("the field keeps what is written, and the focus", page.run("document.activeElement.value") == "borg")
        page.run("document.querySelector('[data-key=find]').value = ''; document.querySelector('[data-key=find]').dispatchEvent(new Event('input'))")
        page.until("document.querySelectorAll('.night .name').length !== 4 && document.querySelector('[data-key=\"fold-com.example.Shop\"]')", "all apps again")
        page.run("document.querySelector('[data-key=\"fold-com.example.Shop\"]').click()")
        page.until("location.hash.includes('com.example.Shop')", "what is folded out, in the address")
        page.until("document.querySelector('[data-key=\"now-com.example.Shop.queue_worker\"]')", "its tasks, which were asked for")
        page.run("document.querySelector('[data-key=span-week]').click()")
        page.until("location.hash.includes('span=week')", "the span, in the address")
        seen = page.run("location.hash")
    with browser.page() as page:
        page.open(host.base + "/" + seen)
        page.until("document.querySelector('[data-key=span-week]')?.getAttribute('aria-pressed') === 'true'", "the same span")
        check("the same app is open", page.run("document.querySelector('[data-key=\"fold-com.example.Shop\"]').parentElement.open"))
        check("without the token nothing is quoted", page.run("document.querySelectorAll('.quote').length") == 0)


def searched(browser, host):
    with browser.page() as page:
        overview(page, host)
        page.run("location.hash = '#/history'")
        page.until(CROWD["#/history"], "the runs")
        rows = page.run("[...document.querySelectorAll('.run-line:not(.head)')].map((one) => one.dataset.key)")
        check("a run is one row", 100 <= len(rows) < 200 and len(rows) == len(set(rows)), len(rows))
        check("days are headings", page.run("document.querySelector('.day h2').textContent").startswith("Today, "))
        page.run("(() => { const choice = document.querySelector('[data-key=by-outcome]'); choice.value = 'failed'; choice.dispatchEvent(new Event('change')); })()")
        page.until("document.querySelector('.run-line.failed') && !document.querySelector('.run-line.ran')", "what failed")
        check("not by colour alone", page.run("[...document.querySelectorAll('.run-line.failed .how')].every((one) => one.textContent.includes('✗') && one.textContent.includes('failed'))"))
        page.run("document.querySelector('[data-key=by-text]').focus()")
        for letter in "password":
            page.type(letter)
        page.until("[...document.querySelectorAll('.run-line.failed .what')].every((one) => one.textContent === 'pg_dump_shop')", "what holds the word")
        check("all of it stands in the address", page.run("location.hash") == "#/history?outcome=failed&text=password", page.run("location.hash"))
        page.run("location.hash = '#/history'")
        page.until("document.querySelector('[data-key=earlier]')", "the way back")
        oldest = "[...document.querySelectorAll('.run-line:not(.head)')].at(-1).dataset.key"
        before = page.run(oldest)
        page.run("document.querySelector('[data-key=earlier]').click()")
        page.until(f"document.querySelector('[data-key=newest]') && {oldest} !== '{before}'", "earlier runs")
        page.run("location.hash = '#/history?outcome=failed'")
        page.until("document.querySelector('.run-line.failed')", "what failed, again")
        number = page.run("document.querySelector('.run-line.failed').dataset.key.slice(4)")
        page.run(f"location.hash = '#/run/{number}'")
        page.until("document.querySelector('#run-title') && document.querySelector('.whole table')", "one run by itself")


def main():
    if not chromium.found():
        print("web-test: there is no Chromium here (apt install chromium), so the page is not tried in a browser.")
        return
    program = sys.argv[1]
    browser = chromium.Browser()
    host = crowd.Crowd(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    try:
        many(browser, host)
        print("web-test: many: well")
    except BaseException:
        browser.close()
        raise
    finally:
        host.close()
    host = thousands.Thousands(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    try:
        for part in thousands.PARTS:
            part(browser, host, check)
            print(f"web-test: thousands, {part.__name__}: well")
    except BaseException:
        browser.close()
        raise
    finally:
        host.close()
    host = newcomer.Newcomer(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    try:
        # 640 px is a window of 1280 px at 200 % zoom.
        looks(browser, host, first_look.parts(host), (1280, 360, 640))
        for part in first_look.PARTS:
            part(browser, host, check)
            print(f"web-test: {part.__name__}: well")
    except BaseException:
        browser.close()
        raise
    finally:
        host.close()
    host = showcase.Showcase(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    try:
        fleet.looks(browser, host, AUDIT, check)
        for part in fleet.PARTS:
            part(browser, host, check)
            print(f"web-test: fleet, {part.__name__}: well")
        for part in (looks, night, keyboard, untrusted, doors, forms, live, ended):
            part(browser, host)
            print(f"web-test: {part.__name__}: well")
    finally:
        browser.close()
        host.close()
    print(f"web-test: {checks} checks, all well.")


main()
