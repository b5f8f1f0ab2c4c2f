"""The page in a real browser: `make web-test`. Says so, and succeeds, where there is no Chromium.

Looks at every part in wide and narrow, light and dark; goes the ways of a keyboard; launches with the token and is
refused without; sees changes come by themselves; and finds what plugins print to be text."""

import os
import sys
import tempfile

import chromium
import showcase

HERE = os.path.dirname(os.path.abspath(__file__))
with open(HERE + "/audit.js") as file:
    AUDIT = file.read().split("\n", 1)[1]
NIGHTLY, DIGEST, REPORT = "com.example.Backup.nightly", "com.example.Reports.mail_digest", "com.example.Reports.disk_report"
PARTS = {
    "#/": "document.querySelector('.night') && document.querySelector('table.now')",
    "#/task/" + NIGHTLY: "document.querySelector('table.gates')",
    "#/task/" + DIGEST: "document.querySelector('table.runs')",
    "#/app/com.example.ColorFeed": "document.querySelector('table.week')",
    "#/conditions": "document.querySelector('#conditions-title')",
    "#/history": "document.querySelector('h1')?.textContent === 'History'",
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


def looks(browser, host):
    for width in (1280, 320):
        for dark in (False, True):
            with browser.page(width, 900, dark, reduced=True) as page:
                overview(page, host)
                for part, is_there in PARTS.items():
                    page.run(f"location.hash = {part!r}")
                    page.until(is_there, part)
                    # Folded parts are part of it.
                    page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
                    wrong = page.run(AUDIT)
                    check(f"{part} at {width} px, {'dark' if dark else 'light'}, is sound", not wrong, "\n  ".join(wrong))
                check("nothing was complained of", not page.faults(), page.faults())


def night(browser, host):
    with browser.page() as page:
        overview(page, host)
        lane = f"document.querySelector('a.name[href=\"#/task/{NIGHTLY}\"]').closest('li')"
        text = page.run(lane + ".querySelector('.sum').textContent")
        check("the reason stands beside the lane", text.startswith("Did not run: outside its window") and "no external power 01:00–05:00" in text, text)
        check("a failure is marked", page.run("document.querySelectorAll('.lane.failed').length") == 1)
        page.run(lane + ".querySelector('a').click()")
        page.until("document.querySelector('#past-title')", "the task")
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
        page.until("document.querySelector('table.runs')", "the task by its key")
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
        # The history's own runs printed nothing; this one prints what is meant to become part of the page.
        page.run(f"location.hash = '#/task/{DIGEST}'")
        page.until("document.querySelector('[data-key=act-launch]')", "the task")
        row = "document.querySelector('table.runs tbody tr')"
        before = page.run(row + ".querySelector('th').textContent")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        page.until(f"{row}.querySelector('th').textContent !== '{before}' && {row}.innerText.includes('failed')", "its run, by itself")
        newest = page.run("document.querySelector('table.runs tbody details').dataset.key")
        page.run("document.querySelector('table.runs tbody summary').click()")
        printed = f"document.querySelector('[data-key={newest}] [data-key^=pre-]')"
        page.until(printed, "what it printed")
        text = page.run(printed + ".textContent")
        origin = page.run(f"document.querySelector('[data-key={newest}] [data-key^=origin-]').textContent")
        check("where it came from is said", "jobs.yaml:" in origin, origin)
        check("what it printed is shown as it is", "<script>document.title=1</script><img src=x" in text, text)
        check("and is no part of the page", page.run("document.querySelectorAll('main img, main script').length") == 0)
        check("nothing ran", page.run("document.title") != "1")
        check("what is folded out stays so", page.run(f"document.querySelector('[data-key={newest}]').open"))


def doors(browser, host):
    with browser.page() as page:
        overview(page, host, token=False)
        page.run(f"location.hash = '#/task/{REPORT}'")
        page.until("document.querySelector('[data-key=act-launch]')", "the task")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        page.until("document.querySelector('#said .bad')", "a refusal")
        check("it says what is needed", "token" in page.run("document.getElementById('said').textContent"))
        check("and leads there", page.run("document.activeElement.id") == "token")
        page.run(f"document.getElementById('token').value = '{'0' * 64}'; document.querySelector('#token-form button').click()")
        page.until("document.querySelector('#said .bad')", "a refusal of a wrong token")
        page.run(f"document.getElementById('token').value = '{host.token}'; document.querySelector('#token-form button').click()")
        page.until("document.querySelector('#said .well')", "a welcome")
        page.run("document.querySelector('[data-key=act-launch]').click()")
        page.until("/run \\d+/.test(document.getElementById('said').textContent)", "a launch")


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
        page.until("document.querySelector('main h1').textContent === 'No answer'", "that nobody answers")


def main():
    if not chromium.found():
        print("web-test: there is no Chromium here (apt install chromium), so the page is not tried in a browser.")
        return
    program = sys.argv[1]
    host = showcase.Showcase(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    browser = chromium.Browser()
    try:
        for part in (looks, night, keyboard, untrusted, doors, live, ended):
            part(browser, host)
            print(f"web-test: {part.__name__}: well")
    finally:
        browser.close()
        host.close()
    print(f"web-test: {checks} checks, all well.")


main()
