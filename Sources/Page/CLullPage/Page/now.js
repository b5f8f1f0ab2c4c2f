// The present state: the tasks in the words of `lull status`, a line each under their apps, and what holds them back.

import { ofApp, pausing, resuming, row } from "./buttons.js";
import { fold, h, mark, named, prose, rest, shortName, table } from "./dom.js";
import { box } from "./picked.js";
import { when } from "./time.js";

const failed = (task) => task.failing;

/** Every app, folded where there are many tasks; in it a line for each. */
export function tasks(status, view, act) {
  const lines = new Map(status.lines.map((line) => [line.task, line]));
  const remarks = new Map(status.app_remarks.map((one) => [one.app, one]));
  const total = status.app_remarks.reduce((sum, one) => sum + one.task_count, 0);
  const few = total <= view.few || status.apps.length === 1;
  const parts = status.apps.map((app) => {
    const sums = remarks.get(app.app);
    if (!sums.task_count && view.find) return null;
    const own = status.tasks.filter((task) => task.app === app.app);
    // Those of a part would be sorted among themselves only.
    const isWhole = own.length === sums.task_count;
    own.sort(isWhole && by(view.sort, lines) || ((a, b) => Number(!failed(a)) - Number(!failed(b))));
    return fold(view, app.app, few, [h("h3", { class: "app" }, named(app.app)), " ", summary(sums)],
      [about(app, sums.words, status, act), own.length ? rows(own, lines, app.app, view, isWhole) : null, rest(sums.task_count - own.length, view, app.app, few)], { class: "part" });
  });
  return h("section", { class: "now", "aria-labelledby": "now-title" },
    h("div", { class: "headline" }, h("h2", { id: "now-title" }, "Now"),
      total && status.running && !status.pauses?.some((pause) => pause.scope === "all") ? h("div", { class: "buttons all" },
        h("span", { class: "dim" }, "Every task:"), pausing("all", "", status, act)) : null),
    total || view.find ? parts : h("p", {}, prose("The manifest lists no task. `lull import` makes one of crontabs or timers, `lull plugin new` begins a plugin.")));
}

/** "16 tasks, 2 under way ✗ rsync_offsite": failing tasks are named even if their app is folded. */
function summary(sums) {
  const held = Object.entries(sums.stopped_counts).map(([state, count]) => `${count} ${state}`);
  return [
    h("span", { class: "dim" }, [`${sums.task_count} task${sums.task_count === 1 ? "" : "s"}`, sums.running_count && `${sums.running_count} under way`, ...held].filter(Boolean).join(", ")),
    sums.failing_tasks.length ? h("span", { class: "bad" }, " ", mark("failed"), sums.failing_tasks.map((task, index) => [index ? ", " : "", named(shortName(task, sums.app))]),
      sums.failing_count > sums.failing_tasks.length ? ` and ${sums.failing_count - sums.failing_tasks.length} more` : "") : null,
  ];
}

function about(app, remarks, status, act) {
  return h("div", { class: "about" },
    h("p", { class: "dim" }, h("a", { href: "#/app/" + app.app, "data-key": "app-" + app.app }, "App"),
      ` · ${app.last_used ? "last used " + when(app.last_used) : "no use known"} · worker ${app.worker}`,
      remarks === "–" ? "" : [" · ", h("span", { class: "held" }, prose(remarks))]),
    row(ofApp(app, act), status.pauses?.some((pause) => pause.scope === app.app) ? resuming(app.app, `apps/${app.app}/`, act) : null));
}

const sorts = { task: "Task", state: "State", last: "Last run" };

/** How to compare two tasks: "-last" is by their last runs, the other way round. Nothing for no such way. */
function by(sort, lines) {
  const key = sort.replace("-", "");
  if (!Object.hasOwn(sorts, key)) return undefined;
  const value = {
    task: (task) => task.task, state: (task) => lines.get(task.task)?.state ?? "",
    last: (task) => task.last_run?.launched ?? "",
  }[key];
  const sign = sort === key ? 1 : -1;
  return (a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
}

/** The head of a column by which the tasks can be sorted: once, the other way round, and as before. */
function head(key, app, view) {
  const next = { [key]: "-" + key, ["-" + key]: "" }[view.sort] ?? key;
  const sorted = { [key]: "ascending", ["-" + key]: "descending" }[view.sort];
  return h("button", { type: "button", class: "word " + (sorted ?? ""), title: "Sort by it", "data-key": `sort-${key}-${app}`, "data-sorted": sorted, on: { click: () => view.sortBy(next) } }, sorts[key]);
}

function rows(own, lines, app, view, isWhole) {
  const cells = own.map((task) => {
    const line = lines.get(task.task);
    return [
      [box([task.task], "pick-" + task.task, "Select " + task.task, view.changed), " ",
        h("a", { href: "#/task/" + task.task, "data-key": "now-" + task.task }, named(shortName(task.task, app)))],
      h("span", { class: "state " + line.state }, line.state),
      h("span", { class: failed(task) ? "bad" : "" }, failed(task) ? mark("failed") : null, line.last_run_words),
      h("span", { class: "clip", title: line.why }, prose(line.why)),
    ];
  });
  const heads = Object.entries(sorts).map(([key, words]) => isWhole && own.length > 1 ? head(key, app, view) : words);
  if (own.length > 1) heads[0] = [box(own.map((task) => task.task), "pick-all-" + app, "Select the tasks of " + app, view.changed), " ", heads[0]];
  return table(h("span", { class: "unseen" }, "The tasks of " + app), [...heads, "Why"], cells, { class: "now" });
}

/** Notices for every place: that nothing can be recorded, that no host runs, and what is paused. */
export function notices(status, act) {
  const line = (words) => h("p", { class: "notice", role: "note" }, words);
  const path = (scope) => scope === "all" ? "" : status.apps.some((one) => one.app === scope) ? `apps/${scope}/` : `tasks/${scope}/`;
  const paused = (pause) => line([
    pause.scope === "all" ? "Every task" : named(pause.scope), " is paused ",
    pause.until ? "until " + when(pause.until) : "until somebody resumes it", `, since ${when(pause.since)}`,
    pause.by ? `, by ${pause.by}` : "", pause.reason ? `: ${pause.reason}. ` : ". ", h("code", {}, "lull resume " + (pause.scope === "all" ? "--all" : pause.scope)), " ends it. ",
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
  const held = status.waiting.filter((one) => wanted[one.gate]);
  if (!held.length) return null;
  return h("ul", { class: "readings", "aria-label": "Conditions that keep tasks waiting" }, held.map(({ gate, tasks, task_count: count }) => {
    const [what, name] = wanted[gate];
    const reading = (status.conditions?.readings ?? []).find((one) => name && one.startsWith(name + ": "));
    const named_ = (task) => h("a", { href: "#/task/" + task.task, "data-key": `held-${gate}-${task.task}` }, named(shortName(task.task, task.app)));
    const names = tasks.map((task, index) => [index ? (index === count - 1 ? " and " : ", ") : "", named_(task)]);
    return h("li", {}, names, count > tasks.length ? ` and ${count - tasks.length} more` : "", count > 1 ? " wait for " : " waits for ",
      h("a", { href: "#/conditions", "data-key": "reading-" + gate }, what), reading ? ` (${reading}).` : ".");
  }));
}
