"""Takes the screenshots of the operator's manual, from a real host: `make screenshots`."""

import os
import sys
import tempfile

import chromium
import showcase

# Name, part, width, dark, an element to wait for, and the height.
PICTURES = [
    ("overview", "#/", 1100, False, "document.querySelector('table.now')", 1060),
    ("overview-narrow", "#/", 360, True, "document.querySelector('table.now')", 860),
    ("task", "#/task/com.example.Backup.nightly", 1100, False, "document.querySelector('table.gates')", 1060),
    ("failed", "#/task/com.example.Reports.mail_digest", 1100, True, "document.querySelector('.run-line')", 0),
    ("week", "#/app/com.example.ColorFeed", 1100, False, "document.querySelector('table.week')", 620),
    ("conditions", "#/conditions", 1100, False, "document.querySelector('#conditions-title')", 460),
]


def main():
    program, folder = sys.argv[1:3]
    if not chromium.found():
        sys.exit("screenshots: they need Chromium (apt install chromium).")
    os.makedirs(folder, exist_ok=True)
    host = showcase.Showcase(tempfile.mkdtemp(prefix="lull-web-") + "/host", program)
    browser = chromium.Browser()
    try:
        host.run("submit", "com.example.Reports.disk_report")
        host.run("launch", "com.example.Reports.mail_digest", may_fail=True)
        for name, part, width, dark, is_there, height in PICTURES:
            with browser.page(width, 900, dark, reduced=True) as page:
                page.open(host.url)
                page.until("document.querySelector('.night')", "the overview")
                page.run(f"location.hash = {part!r}")
                page.until(is_there, part)
                if name == "failed":
                    page.size(width, 640)
                    page.run("document.querySelector('summary.run-line').click()")
                    page.until("document.querySelector('.whole [data-key^=pre-]')", "what it printed")
                    page.run("document.getElementById('runs-title').scrollIntoView()")
                path = f"{folder}/{name}.png"
                page.screenshot(path, height)
                print(path)
    finally:
        browser.close()
        host.close()


main()
