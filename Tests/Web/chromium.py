"""Headless Chromium, driven by the DevTools protocol over a pipe: needs no driver, no websocket, and no other package."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

TIMEOUT = 60


def found():
    """The browser's path; None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __init__(self):
        to_read, self.commands = os.pipe()
        self.answers, to_write = os.pipe()
        self.profile = tempfile.mkdtemp(prefix="lull-chromium-")
        # The browser expects the pipe on its descriptors 3 and 4.
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_write, True)

        def place():
            os.dup2(to_read, 1003)
            os.dup2(to_write, 1004)
            os.dup2(1003, 3)
            os.dup2(1004, 4)

        self.process = subprocess.Popen(
            [found(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage", "--lang=en-GB",
             "--force-color-profile=srgb", "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=place, close_fds=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.unread = b""
        self.number = 0
        self.events = []

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def read(self):
        while b"\0" not in self.unread:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.unread += more
        line, self.unread = self.unread.split(b"\0", 1)
        return json.loads(line)

    def page(self, width=1280, height=900, dark=False, reduced=False):
        return Page(self, width, height, dark, reduced)


class Page:
    """One tab with a size and a colour scheme."""

    def __init__(self, browser, width, height, dark, reduced):
        self.browser = browser
        self.width = width
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.size(width, height)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A browser has only six connections to a host, and each page keeps one open for events.
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression; waits for a promise."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def until(self, script, what, press=None):
        """Waits for a condition of the page; the timeout is only for a stuck page. A key is pressed again until the condition holds,
        as a person does it when the page was drawn anew under it."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                if press:
                    self.press(press)
                if self.run(f"!!({script})"):
                    return
            except RuntimeError:
                # Between two documents no script can run.
                pass
            time.sleep(0.05)
        raise AssertionError(f"never came: {what}\n{self.run('document.body.innerText')[:2000]}")

    def press(self, key, shift=False):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "ArrowRight": 39}
        text = {"Enter": "\r", " ": " "}.get(key)
        parameters = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": codes[key],
                      "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def type(self, letter):
        """Types a letter where the focus is."""
        self.call("Input.insertText", text=letter)

    def screenshot(self, path, height=None):
        """Of the whole page, or of its first `height` pixels; 0: of the window."""
        whole = height != 0
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]["height"]
        clip = {"clip": {"x": 0, "y": 0, "width": self.width, "height": min(size, height or size), "scale": 1}} if whole else {}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def faults(self):
        """The page's errors: exceptions of scripts, and blocks by the content policy."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"]["text"])
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found
