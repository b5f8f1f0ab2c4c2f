"""Tests a newcomer's first look at the page of a new host, without the token and with it."""

import newcomer

LOADED = "document.querySelector('.night') && document.querySelector('table.now')"
FACTS = "Object.fromEntries([...document.querySelectorAll('.facts dt')].map((one) => [one.textContent, one.nextElementSibling.innerText]))"


def parts(host):
    def span(name):
        return f"{LOADED} && document.querySelector('[data-key=span-{name}]').getAttribute('aria-pressed') === 'true'"

    def task(name):
        return f"document.querySelector('.facts') && document.title.startsWith('{host.task(name)} ')"
    return {
        "#/": span("day"), "#/?span=night": span("night"), "#/?span=week": span("week"),
        "#/task/" + host.task(newcomer.FAILED): task(newcomer.FAILED), "#/task/" + host.task(newcomer.FUTURE): task(newcomer.FUTURE),
        "#/app/" + host.app: "document.querySelector('#its-title')",
        "#/conditions": "document.querySelector('#conditions-title')", "#/history": "document.querySelector('.run-line')",
    }


def go(page, part, is_there, what):
    page.run("document.querySelector('main').replaceChildren()")
    page.run(f"location.hash = {part!r}")
    page.until(is_there, what)


def task(page, host, name):
    go(page, "#/task/" + host.task(name), "document.querySelector('.facts')", name)
    return page.run(FACTS)


def press(page, key):
    button = f"document.querySelector('[data-key=\"{key}\"]')"
    page.until(button, key)
    page.run(button + ".click()")


def strangers(browser, host, check):
    """Without the token."""
    host.run("disable", host.task(newcomer.DISABLED))
    with browser.page() as page:
        page.open(host.base + "/")
        page.until(LOADED, "the overview")
        head = page.run("document.querySelector('h1').textContent")
        check("what is shown begins where the history does", head == "Since 09:04", head)
        lane = page.run("(() => { const [all, bar] = [document.querySelector('.lane.failed .strip'), document.querySelector('.lane.failed .bar')]"
                        ".map((one) => one.getBoundingClientRect()); return [bar.left - all.left, all.width] })()")
        check("and so does each lane", lane[0] < 2 < 200 < lane[1], lane)
        first = page.run("document.querySelector('.lane.failed .hidden').textContent")
        check("that a cause is hidden is said, and why", first.startswith("Its output is hidden, because it may hold secrets."), first)
        check("and what shows it", f"cat {host.state}/http-token prints the token" in first, first)
        check("once in full", page.run("document.querySelectorAll('.lane .hidden code').length") == 1)
        check("and briefly after that", page.run("document.querySelectorAll('.lane.failed .hidden').length") == 2)
        facts = task(page, host, newcomer.FAILED)
        check("a task opens with how it stands", list(facts)[:4] == ["Now", "Last run", "Cause", "Next"], facts)
        check("with its last run", facts["Last run"].replace("failed\n", "").startswith("✗") and "12:15, after 1 min, run" in facts["Last run"], facts)
        check("with where its cause is seen", "exited with code 1" in facts["Cause"] and "http-token" in facts["Cause"], facts)
        check("with its next time", "12:15, in 2" in facts["Next"], facts)
        said = page.run("document.querySelector('main').innerText")
        check("no line says what a button does", "lull launch" not in said and "only time holds it back" not in said, said)
        check("nothing is there to withdraw or to end", not page.run("document.querySelector('[data-key=act-cancel], [data-key=act-expire]')"))
        press(page, "token-task")
        check("the way to the token is a step", page.run("document.activeElement.id") == "token")
        facts = task(page, host, newcomer.FUTURE)
        check("a task that never ran says so", facts["Last run"] == "It has never run." and "01:30, in " in facts["Next"], facts)
        said = page.run("document.querySelector('main').innerText")
        check("and not that nothing is known or asked for", "othing is known" not in said and "nobody asked" not in said, said)
        check("hours without anything are folded", not page.run("document.querySelector('[data-key=fold-past]').parentElement.open"))
        facts = task(page, host, newcomer.DISABLED)
        check("what is disabled has no next time", facts["Next"] == "not while it is disabled", facts)
        page.run(f"document.getElementById('token').value = '{'0' * 64}'; document.querySelector('#token-form button').click()")
        page.until("document.getElementById('token-said').textContent.includes('not the token')", "a refusal")
        page.run("window.fetch = async () => new Response('{\"error\": \"This needs the token.\"}', { status: 401 }); location.hash = '#/conditions'")
        page.until("document.querySelector('h1').textContent === 'Needs the token'", "that a page for those with the token says so")
        check("a wrong token is not kept", not page.run("document.getElementById('token-form').classList.contains('has') || sessionStorage.getItem('lull-token')"))


def tries(browser, host, check):
    """With the token: pauses, requests, and a run that was launched by hand."""
    with browser.page() as page:
        page.open(host.url)
        page.until(LOADED, "the overview")
        check("a cause is quoted", "certificate has expired" in page.run("document.querySelector('.lane.failed .quote').textContent"))
        go(page, "#/?span=night", "document.querySelector('.lane.mended')", "what ran since")
        mended = page.run("document.querySelector('.lane.mended .sum').textContent")
        check("what ran since does not stand under what did not run", not page.run("document.querySelector('.lane.held')"))
        check("and says both", mended.startswith("Did not run: 09:30 was missed") and mended.endswith("Since then it ran well, at 11:20."), mended)
        task(page, host, newcomer.DISABLED)
        check("what is disabled can only be enabled", page.run("document.querySelector('.buttons').innerText") == "Enable")
        press(page, "act-enable")
        page.until("document.querySelector('[data-key=act-disable]')", "that it is enabled")
        name = host.task(newcomer.FUTURE)
        task(page, host, newcomer.FUTURE)
        page.run(f"document.querySelector('[data-key=\"pause-hour-{name}\"]').focus()")
        press(page, "pause-hour-" + name)
        page.until("document.querySelector('.notice')?.textContent.includes('is paused until')", "a pause of an hour")
        check("focus is on what ends it", page.run("document.activeElement.dataset.key") == "resume-" + name, page.run("document.activeElement.dataset.key"))
        check("it says by whom", "by the page's own token" in page.run("document.querySelector('.notice').textContent"))
        check("and is not to be done twice", not page.run(f"document.querySelector('[data-key=\"pause-{name}\"]')"))
        press(page, "act-submit")
        page.until("document.querySelector('[data-key=act-cancel]')", "a request to withdraw")
        press(page, "act-cancel")
        page.until("document.querySelector('[data-key=act-submit]')", "its end")
        press(page, "resume-" + name)
        page.until("!document.querySelector('.notice')", "the end of the pause")
        press(page, "pause-" + name)
        page.until("document.querySelector('.notice')?.textContent.includes('is paused until somebody resumes it')", "a pause without end")
        page.until("document.querySelector('#said p')", "what was done")
        go(page, "#/", LOADED, "the overview")
        check("what was said of one place covers no other", not page.run("document.querySelector('#said p')?.textContent.includes('Paused')"))
        press(page, "notice-resume-" + name)
        page.until("!document.querySelector('.notice')", "the end of the pause, from anywhere")
        press(page, "pause-all")
        page.until("document.querySelector('.notice')?.textContent.startsWith('Every task is paused')", "a pause of all")
        press(page, "notice-resume-all")
        page.until("!document.querySelector('.notice')", "its end")


def several(browser, host, check):
    """Tasks in another order, and orders for several at once."""
    names = [host.task(name) for name in ("check_ssl", "statistics")]

    def states():
        return page.run(f"{names!r}.map((name) => document.querySelector(`[data-key=\"now-${{name}}\"]`).closest('tr').querySelector('.state').textContent)")

    def order():
        return page.run("[...document.querySelectorAll('table.now tbody a')].map((one) => one.textContent)")
    with browser.page() as page:
        page.open(host.url)
        page.until(LOADED, "the overview")
        usual = order()
        check("what fails comes first", set(usual[:2]) == set(newcomer.FAILS), usual)
        press(page, "sort-task-" + host.app)
        check("the tasks by name", order() == sorted(usual), order())
        check("which the head says", page.run("document.querySelector('table.now [aria-sort]').ariaSort") == "ascending")
        check("and the focus stays on it", page.run("document.activeElement.dataset.key ?? document.activeElement.tagName") in ("sort-task-" + host.app, "BODY"))
        press(page, "sort-task-" + host.app)
        check("and the other way round", order() == sorted(usual, reverse=True), order())
        press(page, "sort-task-" + host.app)
        check("and as before", order() == usual and "sort" not in page.run("location.hash"), order())
        check("nothing is selected", not page.run("document.querySelector('.picked')"))
        press(page, "pick-failed")
        check("the failed ones are selected by one step", page.run("document.querySelector('.picked strong').textContent") == "2 selected")
        press(page, "picked-none")
        for name in names:
            press(page, "pick-" + name)
        check("tasks are selected one by one", page.run("document.querySelector('.picked strong').textContent") == "2 selected")
        press(page, "picked-pause")
        page.until("document.querySelectorAll('.notice').length === 2", "that both are paused")
        page.until("document.querySelector('#said').textContent === 'Done for 2 tasks.'", "what was done")
        check("both are shown so", states() == ["paused", "paused"], states())
        page.run("const seen = fetch; window.fetch = (path, ...rest) => String(path).includes('statistics/resume')"
                 " ? Promise.resolve(Response.json({ error: { message: 'Not now.' } }, { status: 409 })) : seen(path, ...rest)")
        press(page, "picked-resume")
        page.until("document.querySelector('#said').textContent === 'Done for 1 of 2 tasks. The first refusal: Not now.'", "a refusal of one")
        page.run("window.fetch = seen")
        press(page, "picked-resume")
        page.until("!document.querySelector('.notice')", "the end of both pauses")
        press(page, "pick-all-" + host.app)
        check("all of an app are selected by one step", page.run("document.querySelector('.picked strong').textContent") == f"{len(usual)} selected")
        press(page, "picked-none")
        check("and none", not page.run("document.querySelector('.picked')"))


def returns(browser, host, check):
    """The back button, a slow answer, the marked entry, and a task that is removed."""
    with browser.page(height=500) as page:
        page.open(host.url)
        page.until(LOADED, "the overview")
        link = f"document.querySelector('[data-key=\"now-{host.task('thumbnails')}\"]')"
        page.run(f"{link}.scrollIntoView({{ block: 'center' }})")
        top = page.run("scrollY")
        page.run(f"{link}.focus(); {link}.click()")
        page.until("document.querySelector('.facts')", "the task")
        check("a new place begins at its top", page.run("scrollY") == 0)
        page.run("history.back()")
        page.until(f"{link} && scrollY > 0", "the overview again")
        check("who comes back stands where they stood", abs(page.run("scrollY") - top) < 40 and page.run(f"document.activeElement === {link}"), (page.run("scrollY"), top))
        page.run(f"{link}.click()")
        page.until("document.querySelector('.facts')", "the task again")
        page.run("const seen = fetch; window.fetch = async (...all) => { await new Promise((done) => setTimeout(done, 400)); return seen(...all); }; history.back()")
        page.run("document.dispatchEvent(new Event('visibilitychange'))")
        page.until(f"{link} && scrollY > 0", "the overview, of which there was news before it was drawn")
        check("news on the way change nothing in that", abs(page.run("scrollY") - top) < 40 and page.run(f"document.activeElement === {link}"), page.run("document.activeElement.outerHTML"))
        page.call("Page.reload")
        page.until(f"{link} && scrollY > 0", "the same after it is loaded anew")
        page.run(f"getSelection().selectAllChildren({link}); window.marked = {link}")
        host.run("disable", host.task("trim_disks"))
        page.run("new Promise((resolve) => { const seen = fetch; window.fetch = (...all) => { window.fetch = seen; const answer = seen(...all); answer.then(() => setTimeout(resolve, 300)); return answer; }; dispatchEvent(new Event('hashchange')); })")
        check("what is marked stays", page.run(f"{link} === window.marked"))
        page.run("getSelection().removeAllRanges()")
        page.until(f"{link} !== window.marked", "what has changed, then")
        page.run("window.quick = fetch; window.fetch = (...all) => new Promise((resolve) => setTimeout(() => resolve(window.quick(...all)), 1500))")
        page.run("location.hash = '#/conditions'")
        page.until("document.querySelector('main').textContent === 'Asking the host …'", "that it takes a while")
        page.until("document.querySelector('#conditions-title')", "the answer")
        page.run("window.fetch = window.quick")
        for part in ("#/task/no.such.task", "#/run/99999", "#/app/no.such.app"):
            go(page, part, "document.querySelector('h1')?.textContent === 'Not here'", "that there is nothing at " + part)
            page.run("new Promise((resolve) => setTimeout(resolve, 500))")
            check("and it stays so", page.run("document.querySelector('h1').textContent") == "Not here")
        task(page, host, "trim_disks")
        with open(host.folder + "/jobs.yaml") as file:
            text = file.read()
        start = text.index("      trim_disks:")
        with open(host.folder + "/jobs.yaml", "w") as file:
            file.write(text[:start] + text[text.index("\n\n", start) + 2:])
        page.until("document.querySelector('h1').textContent === 'Not here'", "that the task is gone")
        check("with ways on", page.run("[...document.querySelectorAll('main a')].map((one) => one.textContent).join()") == "Overview,Its runs so far")


def words(browser, host, check):
    """The page's texts for a host in trouble, made from sample answers."""
    with browser.page() as page:
        page.open(host.url)
        page.until(LOADED, "the overview")
        text = page.run("""Promise.all(['now', 'conditions', 'app', 'night'].map((one) => import(`/${one}.js`))).then(([now, conditions, app, { night, strip }]) => {
          const status = { running: true, apps: [], tasks: [], time: '2026-11-21T08:00:00Z', history_trouble: 'Nothing is launched: the disk is full. `df` shows it.' };
          const shares = { network: 1, idle: 0.5, 'load_below=0.5': 0 };
          const text = (parts) => parts.flat().filter(Boolean).map((part) => part.textContent).join(' ');
          const waiting = [{ gate: 'disk', task_count: 2, tasks: ['x', 'y'].map((name) => ({ task: 'a.b.' + name, app: 'a.b' })) }, { gate: 'requested', task_count: 1, tasks: [] }];
          const counts = { quiet: 2 };
          const time = (hours) => new Date(Date.now() - hours * 3600000).toISOString();
          const lanes = ['a.b.c', 'a.b.d'].map((task) => ({ task, result: 'quiet', summary: 'Nothing is known about this time.', runs: [], stretches: [] }));
          const view = { few: 1, find: '', span: 'day', isOpen: (key, usually) => usually, note() {} };
          const past = (begins) => night({ from: time(24), to: time(1), begins: time(begins), zone: 'UTC', lanes, counts, found_counts: counts, absences: [], cut: false }, status, view).textContent;
          return {
            edge: (() => {
              const run = { run: 1, launched: time(1), ended: time(1), outcome: 'succeeded' };
              const lane = strip({ stretches: [], runs: [run] }, Date.parse(time(24)), Date.parse(time(1)));
              document.querySelector('main').replaceChildren(lane);
              return lane.getBoundingClientRect().right - lane.firstChild.getBoundingClientRect().right;
            })(),
            empty: night({ lanes: [], counts: {}, found_counts: {}, absences: [] }, status, view).textContent, first: past(2), none: past(0),
            trouble: text(now.notices(status, () => {})),
            role: now.notices(status, () => {})[0].getAttribute('role'),
            fresh: conditions.conditions(status, [{ event: 'conditions', time: '2026-11-21T07:59:00Z', ms: 20000, shares }]).textContent,
            waits: now.keeping({ ...status, waiting, conditions: { readings: ['free disk: 67.1 GiB'] } }).textContent,
            rates: [14.2, 0.8249, 0.0421, 1, 0].map(app.rate).join(),
          }; })""")
        check("a host that can't record says so first", text["trouble"].startswith("Nothing is launched: the disk is full.") and text["role"] == "note", text)
        check("what has just begun to be watched is named once", text["fresh"].count("Too little is recorded so far of: nobody at the host, load below 0.5 per core, network.") == 1, text)
        check("what waits stands before what it waits for", text["waits"] == "x and y wait for more free disk (free disk: 67.1 GiB).", text)
        check("that nothing is known is said once", text["first"].count("the history begins") == 1 and "2 had nothing due" in text["first"], text)
        check("a run that has just begun is seen in its lane", -1 < text["edge"] < 1, text)
        check("without tasks there is no night", text["empty"] == "No tasks", text)
        check("before the history there are no lanes", "Nothing is known about it." in text["none"] and "had nothing due" not in text["none"], text)
        check("figures are those of the commands", text["rates"] == "14,0.82,0.042,1,0", text)


PARTS = (strangers, tries, several, returns, words)
