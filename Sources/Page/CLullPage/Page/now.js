// The present state: the tasks in the words of `lull status`, a line each under their apps, and what holds them back.

import { ofApp, pausing, resuming, row } from "./buttons.js";
import { fold, h, mark, named, prose, shortName, table } from "./dom.js";
import { when } from "./time.js";

const failed = (task) => task.failing;

/** Every app, folded where there are many tasks; in it a line for each. */
export function tasks(status, view, act) {
  const lines = new Map(status.lines.map((line) => [line.task, line]));
  const remarks = new Map(status.app_remarks.map((one) => [one.app, one.words]));
  const few = status.tasks.length <= view.few || status.apps.length === 1;
  const parts = status.apps.map((app) => {
    const own = status.tasks.filter((task) => task.app === app.app && view.finds(task.task));
    if (!own.length && view.find) return null;
    own.sort((a, b) => Number(!failed(a)) - Number(!failed(b)));
    return fold(view, app.app, few, [h("h3", { class: "app" }, named(app.app)), " ", summary(own, lines)],
      [about(app, remarks.get(app.app) ?? "–", status, act), own.length ? rows(own, lines, app.app) : null], { class: "part" });
  });
  return h("section", { class: "now", "aria-labelledby": "now-title" },
    h("div", { class: "headline" }, h("h2", { id: "now-title" }, "Now"),
      status.tasks.length && status.running && !status.pauses?.some((pause) => pause.scope === "all") ? h("div", { class: "buttons all" },
        h("span", { class: "dim" }, "Every task:"), pausing("all", "", status, act)) : null),
    status.tasks.length ? parts : h("p", {}, prose("The manifest lists no task. `lull import` makes one of crontabs or timers, `lull plugin new` begins a plugin.")));
}

/** "16 tasks, 2 under way ✗ rsync_offsite": failing tasks are named even if their app is folded. */
function summary(own, lines) {
  const runs = own.filter((task) => task.running_runs.length).length;
  const stopped = own.map((task) => lines.get(task.task)).filter((line) => line?.stopped || line?.state === "paused");
  const held = [...new Set(stopped.map((line) => line.state))].map((state) => `${stopped.filter((line) => line.state === state).length} ${state}`);
  const bad = own.filter(failed);
  return [
    h("span", { class: "dim" }, [`${own.length} task${own.length === 1 ? "" : "s"}`, runs && `${runs} under way`, ...held].filter(Boolean).join(", ")),
    bad.length ? h("span", { class: "bad" }, " ", mark("failed"), bad.slice(0, 3).map((task, index) => [index ? ", " : "", named(shortName(task.task, task.app))]),
      bad.length > 3 ? ` and ${bad.length - 3} more` : "") : null,
  ];
}

function about(app, remarks, status, act) {
  return h("div", { class: "about" },
    h("p", { class: "dim" }, h("a", { href: "#/app/" + app.app, "data-key": "app-" + app.app }, "App"),
      ` · ${app.last_used ? "last used " + when(app.last_used) : "no use known"} · worker ${app.worker}`,
      remarks === "–" ? "" : [" · ", h("span", { class: "held" }, prose(remarks))]),
    row(ofApp(app, act), status.pauses?.some((pause) => pause.scope === app.app) ? resuming(app.app, `apps/${app.app}/`, act) : null));
}

function rows(own, lines, app) {
  const cells = own.map((task) => {
    const line = lines.get(task.task);
    return [
      h("a", { href: "#/task/" + task.task, "data-key": "now-" + task.task }, named(shortName(task.task, app))),
      h("span", { class: "state " + line.state }, line.state),
      h("span", { class: failed(task) ? "bad" : "" }, failed(task) ? mark("failed") : null, line.last_run_words),
      h("span", { class: "clip", title: line.why }, prose(line.why)),
    ];
  });
  return table(h("span", { class: "unseen" }, "The tasks of " + app), ["Task", "State", "Last run", "Why"], cells, { class: "now" });
}

/** Notices for every place: that nothing can be recorded, that no host runs, and what is paused. */
export function notices(status, act) {
  const line = (words) => h("p", { class: "notice", role: "note" }, words);
  const path = (scope) => scope === "all" ? "" : status.apps.some((one) => one.app === scope) ? `apps/${scope}/` : `tasks/${scope}/`;
  const paused = (pause) => line([
    pause.scope === "all" ? "Every task" : named(pause.scope), " is paused ",
    pause.until ? "until " + when(pause.until) : "until somebody resumes it", `, since ${when(pause.since)}`,
    pause.reason ? `, ${pause.reason}. ` : ". ", h("code", {}, "lull resume " + (pause.scope === "all" ? "--all" : pause.scope)), " ends it. ",
    status.running ? resuming(pause.scope, path(pause.scope), act, "notice-resume") : null]);
  const all = status.pauses ?? [];
  // Many pauses would push the night out of sight.
  const pauses = all.length <= 3 ? all.map(paused) : h("details", { class: "notice", "data-key": "pauses" },
    h("summary", {}, `${all.length} pauses hold tasks back`), all.map(paused));
  return [
    status.history_trouble ? h("p", { class: "notice trouble", role: "note" }, prose(status.history_trouble)) : null,
    status.running ? null : line(prose("No host is running, so nothing is launched. This is the state that the last one left, judged now. `lull run` starts one.")),
    (status.remarks ?? []).map((remark) => line(prose(remark))),
    pauses,
  ];
}

// The condition that a task waits for while the gate is closed, and the reading that shows how far off it is, if any.
const wanted = {
  network: ["a network", "network"], external_power: ["external power"], battery: ["a fuller battery", "battery"],
  idle: ["an idle host", "presence"], load: ["less load", "load"], disk: ["more free disk", "free disk"],
};

/** The conditions that keep a task waiting now, each as a sentence. */
export function keeping(status) {
  const held = new Map();
  for (const task of status.tasks) {
    const closed = task.verdict.gate_states.filter((gate) => !gate.open).map((gate) => gate.gate);
    // A task that is not due, or is paused or disabled, waits for more than that.
    if (task.next?.state !== "once_open") continue;
    for (const gate of closed) if (wanted[gate]) held.set(gate, [...(held.get(gate) ?? []), task]);
  }
  if (!held.size) return null;
  return h("ul", { class: "readings", "aria-label": "Conditions that keep tasks waiting" }, [...held].map(([gate, tasks]) => {
    const [what, name] = wanted[gate];
    const reading = (status.conditions?.readings ?? []).find((one) => name && one.startsWith(name + ": "));
    const named_ = (task) => h("a", { href: "#/task/" + task.task, "data-key": `held-${gate}-${task.task}` }, named(shortName(task.task, task.app)));
    const names = tasks.slice(0, 3).map((task, index) => [index ? (index === tasks.length - 1 ? " and " : ", ") : "", named_(task)]);
    return h("li", {}, names, tasks.length > 3 ? ` and ${tasks.length - 3} more` : "", tasks.length > 1 ? " wait for " : " waits for ",
      h("a", { href: "#/conditions", "data-key": "reading-" + gate }, what), reading ? ` (${reading}).` : ".");
  }));
}
