// How things stand: the tasks in the words of `lull status`, the apps, the conditions.

import { h, prose, shortName, table } from "./dom.js";
import { clock, date, range, span, when } from "./time.js";

export function tasks(status) {
  const lines = new Map(status.lines.map((line) => [line.task, line]));
  const rows = status.tasks.map((task) => {
    const line = lines.get(task.task);
    const failed = task.last_run?.outcome && task.last_run.outcome !== "succeeded";
    return [
      h("a", { href: "#/task/" + task.task, "data-key": "now-" + task.task },
        h("span", { class: "dim of" }, task.app + "."), h("wbr"), shortName(task.task, task.app)),
      h("span", { class: "state " + line.state }, line.state),
      h("span", { class: failed ? "bad" : "" }, line.last_run),
      prose(line.why),
    ];
  });
  return h("section", { "aria-labelledby": "now-title" },
    h("h2", { id: "now-title" }, "Now"),
    rows.length ? table("Every task, its state and what it waits for", ["Task", "State", "Last run", "Why"], rows, { class: "now" })
      : h("p", {}, "The manifest lists no task."));
}

export function apps(status, act) {
  const remarks = new Map(status.remarks.map((one) => [one.app, one.remarks]));
  const rows = status.apps.map((app) => [
    h("a", { href: "#/app/" + app.app, "data-key": "app-" + app.app }, app.app),
    app.last_used ? when(app.last_used) : "never",
    app.worker,
    h("span", { class: remarks.get(app.app) === "–" ? "" : "held" }, prose(remarks.get(app.app) ?? "–")),
    buttons(app, act),
  ]);
  return h("section", { "aria-labelledby": "apps-title" },
    h("h2", { id: "apps-title" }, "Apps"),
    table("Every app, its last use and its worker", ["App", "Last used", "Worker", "Remarks", "Change"], rows, { class: "apps" }));
}

export function buttons(app, act) {
  const button = (words, path, about) => h("button", {
    type: "button", "data-key": path + app.app, "aria-label": about, on: { click: () => act(`/api/apps/${app.app}/${path}`) },
  }, words);
  return h("div", { class: "buttons" },
    button("Used now", "used", "Record a use of " + app.app),
    app.enabled ? button("Disable", "disable", "Disable " + app.app) : button("Enable", "enable", "Enable " + app.app));
}

/** Without a host nothing is launched, and this is how the last one left it. */
export function notice(status) {
  return status.running ? null : h("p", { class: "notice", role: "note" },
    prose("No host is running: nothing is launched. This is the state that the last one left, judged now. `lull run` starts one."));
}

/** What is sensed, in the words of the commands. */
export function readings(status) {
  const words = status.conditions?.readings ?? [];
  return h("ul", { class: "readings", "aria-label": "Conditions now" }, words.map((reading) => {
    const colon = reading.indexOf(": ");
    return h("li", {}, h("span", { class: "dim" }, reading.slice(0, colon + 1) + " "), reading.slice(colon + 2));
  }));
}

const names = {
  external_power: "external power", network: "network", idle: "nobody at the host", load: "load low enough", disk: "disk free enough",
  battery: "battery charged enough",
};

/** For which share of each span every condition held: a strip for each, and the same as a table. */
export function conditions(status, events) {
  const spans = events.filter((event) => event.event === "conditions" && event.ms > 0).map((event) => ({
    from: Date.parse(event.time) - event.ms, to: Date.parse(event.time), shares: event.shares ?? {},
  }));
  const away = events.filter((event) => event.event === "absent" && event.ms > 0)
    .map((event) => ({ from: Date.parse(event.time) - event.ms, to: Date.parse(event.time) }));
  const all = [...new Set(spans.flatMap((one) => Object.keys(one.shares)))].sort();
  const to = Date.parse(status.time);
  const from = Math.max(to - 7 * 86400000, Math.min(to - 3600000, ...spans.map((one) => one.from), ...away.map((one) => one.from)));
  const place = (one) => ({
    left: Math.max(0, (one.from - from) / (to - from)) * 100 + "%",
    width: (Math.min(one.to, to) - Math.max(one.from, from)) / (to - from) * 100 + "%",
  });
  const strips = all.map((name) => {
    const known = spans.filter((one) => one.shares[name] !== undefined && one.to > from);
    const time = known.reduce((sum, one) => sum + one.to - one.from, 0);
    const held = known.reduce((sum, one) => sum + (one.to - one.from) * one.shares[name], 0);
    return h("li", { class: "lane" },
      h("span", { class: "name" }, label(name)),
      h("div", { class: "strip", "aria-hidden": "true" },
        known.map((one) => {
          const at = { ...place(one), opacity: String(0.12 + 0.88 * one.shares[name]) };
          return h("span", { class: "bar held-share", at, title: `${clock(one.from)}–${clock(one.to)}: ${Math.round(one.shares[name] * 100)} %` });
        }),
        away.filter((one) => one.to > from).map((one) => h("span", { class: "bar off", at: place(one), title: "host off or asleep" }))),
      h("p", { class: "sum" }, `held ${time ? Math.round(held / time * 100) : 0} % of ${span(time)} that were watched`));
  });
  const rows = spans.slice(-60).reverse().map((one) => [
    range(one.from, one.to),
    all.filter((name) => one.shares[name] !== undefined).map((name) => `${label(name)} ${Math.round(one.shares[name] * 100)} %`).join(", "),
  ]);
  return h("section", { "aria-labelledby": "conditions-title" },
    h("h1", { id: "conditions-title" }, "Conditions"),
    readings(status),
    h("h2", {}, "Over time"),
    strips.length ? h("p", { class: "dim" }, `${date(from)} ${clock(from)} to now; the darker, the longer it held`) : h("p", {},
      "Nothing has been recorded yet. What tasks require is watched, and noted once an hour at most."),
    h("ul", { class: "plain lanes" }, strips),
    rows.length ? h("details", { "data-key": "shares" }, h("summary", {}, "The same as a table"),
      table("For which share of each span a condition held", ["From and to", "Held"], rows)) : null);
}

/** A set of conditions is named with `+` between its parts, a threshold behind its name. */
function label(name) { return name.split("+").map((part) => names[part] ?? part.replaceAll("_", " ")).join(" and "); }
