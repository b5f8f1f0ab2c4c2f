"""Checks the answers of host and commands to programs against docs/openapi.yaml: `make test-answers`.

A key has one type everywhere, and each answer has the described keys and no other. Without python3-jsonschema and
python3-yaml it says so and succeeds."""

import copy
import http.client
import json
import os
import re
import sys
import tempfile
import urllib.parse

import courier
import crowd
import member
import newcomer
import showcase

try:
    import jsonschema
    import yaml
except ImportError:
    print("answers: python3-jsonschema and python3-yaml are not here, so no answer is held to its schema.")
    sys.exit(0)

with open(showcase.ROOT + "/docs/openapi.yaml") as file:
    DOCUMENT = yaml.safe_load(file)
SCHEMAS = DOCUMENT["components"]["schemas"]
UNITS = ("ms", "s", "bytes", "days", "percent", "count")
ODD = ["", "0", "-1", "nosuch", "com.example.Nothing", "2026-13-40", "../..", "%", "9" * 40]
asked = 0
validators = {}


def properties(schema, place):
    """Each property below a schema: its place, its key, and its description."""
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "properties":
            for name, one in value.items():
                yield place, name, one
                yield from properties(one, f"{place}.{name}")
        elif isinstance(value, (dict, list)):
            yield from properties(value, place)


def behind(schema):
    return SCHEMAS[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def kind(schema):
    """Such as "number" or "list of string". A nullable type counts as the type; "time" is a type of its own."""
    schema = behind(schema)
    if schema is SCHEMAS["Time"]:
        return "time"
    if "oneOf" in schema:
        return " or ".join(sorted({kind(one) for one in schema["oneOf"]} - {"null"}))
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    name = next((one for one in types if one != "null"), "null")
    return "list of " + kind(schema["items"]) if name == "array" else "number" if name == "integer" else name


def is_described(schema):
    parts = [behind(schema)] if "$ref" in schema else [schema["items"]] if "items" in schema else []
    return "description" in schema or any(map(is_described, parts))


def hold_keys():
    """One key has one type, and for each number the key or its description names the unit.

    The objects within an event are lines of the history, with keys of their own: see docs/history.md.
    """
    seen = {}
    within = set(re.findall(r"schemas/(\w+)", json.dumps(SCHEMAS["Event"]))) - {"Pieces"} | {"Said"}
    for name, schema in SCHEMAS.items():
        for place, key, value in properties(schema, name):
            first, known = seen.setdefault(key, (place, kind(value))) if name not in within else (place, kind(value))
            if known != kind(value) and name not in within:
                raise AssertionError(f"'{key}' is a {known} in {first}, and a {kind(value)} in {place}.")
            if known.endswith("number") and key.split("_")[-1] not in UNITS and not is_described(value):
                raise AssertionError(f"'{key}' of {place} has no unit: end it with one of {', '.join(UNITS)}, or describe it.")


def strict(schema):
    """Forbids keys that are not described, at any depth."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)
    return schema


# Schemas that are parts of others.
PARTS = set(re.findall(r"#/components/schemas/(\w+)", json.dumps([SCHEMAS, DOCUMENT["components"]["parameters"]])))
COMPONENTS = strict(copy.deepcopy(DOCUMENT["components"]))
used = set()


def hold(what, answer, schema):
    """Validates an answer; `schema` is the name of its schema."""
    global asked
    asked += 1
    used.add(schema)
    if schema not in validators:
        root = {"$ref": f"#/components/schemas/{schema}", "components": COMPONENTS}
        validators[schema] = jsonschema.Draft202012Validator(root)
    for error in validators[schema].iter_errors(answer):
        raise AssertionError(f"{what} is no {schema}: at {'/'.join(map(str, error.path)) or 'its top'}: {error.message[:400]}: {json.dumps(answer)[:400]}")


def ask(host, path, method="GET", token=True):
    parts = urllib.parse.urlsplit(host.base)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    connection.request(method, path, headers={"Authorization": "Bearer " + host.token} if token else {})
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, json.loads(body)


def schema_of(operation):
    response = operation["responses"]["200"]
    if "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    content = response["content"].get("application/json")
    return content and content["schema"]["$ref"].rsplit("/", 1)[1]


def call(host, method, path, operation, query="", token=True):
    """Sends a request, and validates the answer against the schema for its status."""
    status, answer = ask(host, path + query, method, token)
    hold(f"{method} {path}{query}", answer, schema_of(operation) if status == 200 else "Error")
    return status, answer


def operations(host):
    """Each path of the document, filled in with the host's own names."""
    _, status = ask(host, "/api/status")
    runs = [run["run"] for run in ask(host, "/api/runs?limit=200")[1]["runs"] if "run" in run]
    names = {"task": [task["task"] for task in status["tasks"]][-6:], "app": [app["app"] for app in status["apps"]],
             "run": runs[:2] + runs[-1:]}
    for template, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            if schema_of(operation) is None:
                continue
            name = template[template.find("{") + 1:template.find("}")] if "{" in template else None
            for value in names[name] if name else [""]:
                yield method.upper(), template.replace("{%s}" % name, str(value)), operation


def parameters(operation):
    for reference in operation.get("parameters", []):
        parameter = DOCUMENT["components"]["parameters"][reference["$ref"].rsplit("/", 1)[1]]
        if parameter["in"] == "query":
            yield parameter["name"], parameter["schema"].get("enum", [])


def page(host):
    for method, path, operation in operations(host):
        if method == "GET":
            status, _ = call(host, method, path, operation)
            if status != 200 and not path.startswith("/api/fleet"):
                raise AssertionError(f"GET {path} answers {status}")
            for name, values in parameters(operation):
                for value in values + ODD:
                    call(host, method, path, operation, f"?{name}={urllib.parse.quote(value)}")
        elif not path.startswith("/api/tasks/") or "/launch" not in path:
            call(host, method, path, operation)
            call(host, method, path, operation, token=False)
    for path in ("/api/nothing", "/api/tasks/nosuch", "/api/runs/0", "/api/apps/com.example.Nothing/forecast"):
        status, answer = ask(host, path)
        hold("GET " + path, answer, "Error")
    status, answer = ask(host, "/api/status", "DELETE")
    hold("DELETE /api/status", answer, "Error")


def printed(host, schema, *arguments, bare=False, may_fail=False):
    """Validates the JSON that a command prints."""
    answer = json.loads(host.run(*arguments, "--json", may_fail=True, bare=bare))
    hold("lull " + " ".join(arguments) + " --json", answer, "Error" if may_fail and "error" in answer else schema)


def fleet(host):
    for schema, *arguments in (
            ("FleetStatus", "fleet", "status"), ("FleetOverview", "status", "--fleet"), ("FleetNight", "night", "--fleet"),
            ("FleetForecasts", "forecast", "--fleet"), ("RunAccount", "history", "1", "--fleet"),
            ("FleetDiff", "fleet", "diff", "--any-host", "--last", "2h")):
        printed(host, schema, *arguments)
    for task in [task["task"] for task in ask(host, "/api/status")[1]["tasks"]]:
        printed(host, "FleetWhy", "why", task, "--fleet")
        printed(host, "FleetNight", "night", task, "--fleet")
    for line in host.run("history", "--fleet", "--events", "--json").splitlines():
        hold("a line of lull history --fleet --events --json", json.loads(line), "FleetEvent")


def commands(host):
    def print_json(*arguments, **how):
        printed(host, *arguments, **how)
    status = ask(host, "/api/status")[1]
    tasks, apps = [task["task"] for task in status["tasks"]], [app["app"] for app in status["apps"]]
    runs = [run for run in ask(host, "/api/runs?limit=200")[1]["runs"] if "run" in run]
    for task in tasks[-12:]:
        print_json("Why", "why", task)
    for app in apps:
        print_json("AppWhy", "why", app)
        print_json("Forecast", "forecast", app)
        print_json("Transfers", "transfers", app)
    for run in runs[:3] + [run for run in runs if run.get("failed")][:3]:
        print_json("RunAccount", "history", "--run", str(run["run"]))
    for line in host.run("history", "--export").splitlines()[-2000:]:
        hold("a line of lull history --export", json.loads(line), "Event")
    for schema, *arguments in (
            ("Status", "status"), ("Night", "night"), ("Cost", "cost"), ("Cost", "cost", "--by", "hour"), ("Forecasts", "forecast"), ("Transfers", "transfers"),
            ("Notifications", "notifications"), ("Diff", "diff", "jobs.yaml"), ("Done", "pause", tasks[0], "--for", "2h"),
            ("Status", "status"), ("Done", "resume", tasks[0]), ("Done", "submit", tasks[0]),
            ("Done", "disable", tasks[0]), ("Done", "enable", tasks[0]), ("Launch", "launch", tasks[-1]), ("Begun", "launch", "--no-wait", tasks[-1]),
            ("Requests", "pending"), ("Days", "history", "--days"), ("Done", "used", apps[0]),
            ("PageToken", "token", "new", "ci", "--scope", "act", "--app", apps[0]), ("PageTokens", "token", "list"), ("Done", "token", "revoke", "ci"),
            ("Done", "reload"), ("Error", "why", "nosuch"), ("Error", "stauts")):
        print_json(schema, *arguments)
    print_json("Done", "cancel", tasks[0], may_fail=True)
    for task in [task for task in status["tasks"] if task["kind"] == "push"]:
        print_json("PushToken", "push", task["app"], "--new-token")
        print_json("Done", "push", task["app"])
    for transfer in json.loads(host.run("transfers", "--json")):
        print_json("Transfer", "why", transfer["id"])
    print_json("Check", "check", "jobs.yaml", bare=True)
    print_json("Check", "check", "--host", "jobs.yaml", bare=True, may_fail=True)
    print_json("Simulation", "simulate", "--days", "2", "jobs.yaml")
    print_json("HistoryImport", "history", "import", host.folder + "/night.jsonl", "--manifest", "jobs.yaml")
    with open(host.folder + "/jobs.yaml") as file, open(host.folder + "/other.yaml", "w") as other:
        other.write(file.read().replace("    tasks:\n", "    notify: [{ command: ['true'] }]\n    tasks:\n", 1))
    print_json("Diff", "diff", "other.yaml")
    with open(host.folder + "/uses.csv", "w") as file:
        file.write(f"time,app\n2026-11-01T08:00:00Z,{apps[0]}\nnever,{apps[0]}\n")
    print_json("UsageImport", "usage", "import", apps[0], "uses.csv", "--manifest", "jobs.yaml")
    print_json("Backtest", "backtest", "jobs.yaml", may_fail=True)
    print_json("PluginCheck", "plugin", "check", os.path.dirname(host.lull) + "/libColorFeed.so", "--only", "is-a-library", bare=True)
    print_json("NoticeTest", "notify", "test", "--manifest", "other.yaml")
    print_json("Pass", "run", "--once", "other.yaml", "--state", host.folder + "/passes", bare=True)


def main():
    program = sys.argv[1]
    hold_keys()
    has_database = member.binaries() is not None
    for kind in (showcase.Showcase, crowd.Crowd, newcomer.Newcomer, courier.Courier, *([member.Member] if has_database else [])):
        host = kind(tempfile.mkdtemp(prefix="lull-answers-") + "/host", program)
        try:
            (fleet if kind is member.Member else commands)(host)
            page(host)
        finally:
            host.close()
    print(f"answers: {asked} answers are as docs/openapi.yaml describes them.")
    left = {name for name in SCHEMAS if name not in used and name not in PARTS}
    if not has_database:
        print("answers: PostgreSQL is not here (apt-get install postgresql), so no answer about a fleet is held to its schema.")
        left = {name for name in left if not name.startswith("Fleet")}
    if left:
        raise AssertionError(f"no answer was a {', '.join(sorted(left))}")


main()
