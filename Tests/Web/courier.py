"""A host with transfers and notifications to report: a download that never ends, one from a port that refuses connections,
a pending notification, and a delivered one."""

import contextlib
import http.server
import os
import socket
import threading

import showcase

MANIFEST = """\
version: 1
apps:
  com.example.Mirror:
    plugin: {plugins}/libMirror.so
    user: host
    idle_after: never
    transfers: {{}}
    push: {{}}
    settings:
      files:
        - {{ url: "http://127.0.0.1:{port}/slow", to: {folder}/slow }}
        - {{ url: "http://127.0.0.1:{closed}/refused", to: {folder}/refused }}
    tasks:
      fetch: {{ kind: processing, requires: {{ idle: false }} }}
  com.example.Reminder:
    plugin: {plugins}/libFixtureReminder.so
    user: host
    idle_after: never
    notifications: true
    notify: [{{ command: ["true"] }}]
    tasks:
      remind: {{ kind: processing, requires: {{ idle: false }} }}
"""


class Slow(http.server.BaseHTTPRequestHandler):
    """Serves each file a byte at a time, and never finishes."""

    over = threading.Event()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        with contextlib.suppress(OSError):
            while not self.over.wait(0.1):
                self.wfile.write(b"x")

    def log_message(self, *_):
        pass


class Nothing:
    """A history before its first event."""

    def lines(self, _):
        return ""


class Courier(showcase.Showcase):
    def __init__(self, folder, program):
        # Notifications go to the manifest's sink, and not to the desktop of the user who runs this.
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        # A port that is bound, but on which no socket listens.
        self.deaf = socket.socket()
        self.deaf.bind(("127.0.0.1", 0))
        super().__init__(folder, program)
        for task in ("com.example.Mirror.fetch", "com.example.Reminder.remind"):
            self.run("launch", task)
        self.wait(lambda all: any(one["received_bytes"] for one in all) and any(one["attempts"] for one in all), "transfers")
        self.wait(lambda all: any(one["pending_notifications"] and one["delivered_notifications"] for one in all), "notifications")

    def manifest(self, plugins):
        return MANIFEST.format(plugins=plugins, folder=self.folder, port=self.server.server_port, closed=self.deaf.getsockname()[1])

    def history(self, now):
        return Nothing()

    def close(self):
        Slow.over.set()
        super().close()
        self.server.shutdown()
        self.deaf.close()
