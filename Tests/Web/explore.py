"""Sends a running page the requests that schemathesis generates from docs/openapi.yaml: `pip install schemathesis`, then
`python3 Tests/Web/explore.py .build/debug/lull`. Further arguments go to it. Exits with 1 if an answer is not as described."""

import os
import shutil
import subprocess
import sys
import tempfile

import showcase

# No schema can say that a span ends after its beginning.
SETTINGS = """\
[[operations]]
include-name = "GET /api/timeline"
checks.positive_data_acceptance.enabled = false
"""


def main():
    program = shutil.which("schemathesis") or os.path.join(os.path.dirname(sys.executable), "schemathesis")
    host = showcase.Showcase(tempfile.mkdtemp(prefix="lull-explore-") + "/host", sys.argv[1])
    try:
        with open(host.folder + "/schemathesis.toml", "w") as file:
            file.write(SETTINGS)
        return subprocess.run(
            [program, "--config-file", "schemathesis.toml", "run", showcase.ROOT + "/docs/openapi.yaml", "--url", host.base,
             "--header", "Authorization: Bearer " + host.token, *sys.argv[2:]], cwd=host.folder).returncode
    finally:
        host.close()


sys.exit(main())
