// How things stand: the tasks in the words of `lull status`, a line each under their apps, and what holds them.

import { fold, h, mark, named, prose, shortName, table } from "./dom.js";
import { when } from "./time.js";

const failed = (task) => task.last_run?.outcome && task.last_run.outcome !== "succeeded";

/** Every app, folded where there are many tasks; in it a line for each. */
export function tasks(status, view, act) {
  const lines = new Map(status.lines.map((line) => [line.task, line]));
  const remarks = new Map(status.remarks.map((one) => [one.app, one.remarks]));
  const few = status.tasks.length <= view.few;
  const parts = status.apps.map((app) => {
    const own = status.tasks.filter((task) => task.app === app.app && view.finds(task.task));
    if (!own.length && view.find) return null;
    own.sort((a, b) => Number(!failed(a)) - Number(!failed(b)));
    return fold(view, app.app, few, [h("h3", { class: "app" }, named(app.app)), " ", summary(own, lines)],
      [about(app, remarks.get(app.app) ?? "–", act), own.length ? rows(own, lines, app.app) : null], { class: "part" });
  });
  return h("section", { class: "now", "aria-labelledby": "now-title" },
    h("h2", { id: "now-title" }, "Now"),
    status.tasks.length ? parts : h("p", {}, "The manifest lists no task."));
}

/** "16 tasks, 2 run; ✗ rsync_offsite": what concerns somebody stands also where the app is folded. */
function summary(own, lines) {
  const runs = own.filter((task) => task.running.length).length;
  const stopped = own.filter((task) => lines.get(task.task)?.stopped).length;
  const bad = own.filter(failed);
  return [
    h("span", { class: "dim" }, [`${own.length} task${own.length === 1 ? "" : "s"}`, runs && `${runs} under way`, stopped && `${stopped} stopped`].filter(Boolean).join(", ")),
    bad.length ? h("span", { class: "bad" }, " ", mark("failed"), bad.slice(0, 3).map((task, index) => [index ? ", " : "", named(shortName(task.task, task.app))]),
      bad.length > 3 ? ` and ${bad.length - 3} more` : "") : null,
  ];
}

function about(app, remarks, act) {
  return h("div", { class: "about" },
    h("p", { class: "dim" }, h("a", { href: "#/app/" + app.app, "data-key": "app-" + app.app }, "App"),
      ` · ${app.last_used ? "last used " + when(app.last_used) : "no use known"} · worker ${app.worker}`,
      remarks === "–" ? "" : [" · ", h("span", { class: "held" }, prose(remarks))]),
    buttons(app, act));
}

function rows(own, lines, app) {
  const cells = own.map((task) => {
    const line = lines.get(task.task);
    return [
      h("a", { href: "#/task/" + task.task, "data-key": "now-" + task.task }, named(shortName(task.task, app))),
      h("span", { class: "state " + line.state }, line.state),
      h("span", { class: failed(task) ? "bad" : "" }, failed(task) ? mark("failed") : null, line.last_run),
      h("span", { class: "clip", title: line.why }, prose(line.why)),
    ];
  });
  return table(h("span", { class: "unseen" }, "The tasks of " + app), ["Task", "State", "Last run", "Why"], cells, { class: "now" });
}

export function buttons(app, act) {
  const button = (words, path, about) => h("button", {
    type: "button", "data-key": path + app.app, "aria-label": about, on: { click: () => act(`/api/apps/${app.app}/${path}`) },
  }, words);
  return h("div", { class: "buttons" },
    button("Used now", "used", "Record a use of " + app.app),
    app.enabled ? button("Disable", "disable", "Disable " + app.app) : button("Enable", "enable", "Enable " + app.app));
}

/** Without a host nothing is launched, and this is how the last one left it; and what somebody has paused. */
export function notices(status) {
  const line = (words) => h("p", { class: "notice", role: "note" }, words);
  const pauses = (status.pauses ?? []).map((pause) => line([
    pause.scope === "all" ? "Every task" : named(pause.scope), " is paused ",
    pause.until ? "until " + when(pause.until) : "until somebody resumes it", `, since ${when(pause.since)}`,
    pause.reason ? `, ${pause.reason}. ` : ". ", h("code", {}, "lull resume " + (pause.scope === "all" ? "--all" : pause.scope)), " ends it."]));
  return [
    status.running ? null : line(prose("No host is running: nothing is launched. This is the state that the last one left, judged now. `lull run` starts one.")),
    (status.host_remarks ?? []).map((remark) => line(prose(remark))),
    pauses,
  ];
}

const byTime = new Set(["window", "quiet", "earliest_begin", "moment"]);
const readingOf = {
  network: "network", external_power: "external power", battery: "battery", idle: "presence", load: "load", disk: "free disk",
};

/** Of the conditions only those that keep a task waiting now, and which tasks. */
export function keeping(status) {
  const held = new Map();
  for (const task of status.tasks) {
    const closed = task.verdict.gates.filter((gate) => !gate.open).map((gate) => gate.gate);
    if (!task.pending || closed.some((gate) => byTime.has(gate))) continue;
    for (const gate of closed) if (readingOf[gate]) held.set(gate, [...(held.get(gate) ?? []), task]);
  }
  if (!held.size) return null;
  return h("ul", { class: "readings", "aria-label": "Conditions that keep tasks waiting" }, [...held].map(([gate, tasks]) => {
    const reading = (status.conditions?.readings ?? []).find((one) => one.startsWith(readingOf[gate] + ": ")) ?? readingOf[gate];
    const names = tasks.slice(0, 3).map((task, index) => [index ? ", " : "", h("a", { href: "#/task/" + task.task, "data-key": `held-${gate}-${task.task}` }, named(shortName(task.task, task.app)))]);
    return h("li", {}, h("a", { href: "#/conditions", "data-key": "reading-" + gate }, reading), " keeps ", names,
      tasks.length > 3 ? ` and ${tasks.length - 3} more` : "", " waiting");
  }));
}
