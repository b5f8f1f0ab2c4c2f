// What became of each task in a night, a day or a week: what failed, what did not run though it was due, and folded the rest.

import { finder, fold, h, mark, named, quote, shortName, unquoted } from "./dom.js";
import { clock, date, ticks, weekday, when } from "./time.js";

export const spans = { night: "Last night", day: "24 hours", week: "7 days" };

/** By what a closed gate is opened: time, the world, a limit, or somebody. */
const kinds = {
  window: "time", quiet: "time", earliest_begin: "time", moment: "time",
  network: "world", external_power: "world", battery: "world", idle: "world", load: "world", disk: "world",
  rate_limit: "limit", budget: "limit", backoff: "limit", concurrency: "limit", shutting_down: "limit",
  permitted: "person", registered: "person", enabled: "person", paused: "person", idle_app: "person", requested: "person",
};

const legend = [
  ["run-ok", "ran well"], ["run-bad", "failed"], ["gate-world", "a condition was missing"], ["gate-time", "outside its time"],
  ["gate-limit", "a limit held it"], ["gate-person", "needs somebody"], ["calm", "not due, or waiting for its moment"],
  ["off", "host off or asleep"],
];

/** What weighs most of what was closed: a missing condition says more than a window. */
function kind(stretch) {
  if (stretch.state === "host_off") return "off";
  if (stretch.state !== "waiting") return stretch.state === "unknown" ? "blank" : "calm";
  const found = new Set((stretch.gates ?? []).map((gate) => kinds[gate] ?? "world"));
  for (const one of ["person", "time", "world", "limit"]) if (found.has(one)) return "gate-" + one;
  return "calm";
}

/** One lane: its stretches and its runs on the line of time. What it says stands beside it as a sentence. */
export function strip(lane, from, to) {
  const place = (a, b) => {
    const start = Math.max(0, (Date.parse(a) - from) / (to - from));
    const end = Math.min(1, ((b ? Date.parse(b) : to) - from) / (to - from));
    return { left: start * 100 + "%", width: Math.max(0, end - start) * 100 + "%" };
  };
  const bars = lane.stretches.filter((stretch) => stretch.state !== "running").map((stretch) =>
    h("span", {
      class: "bar " + kind(stretch), at: place(stretch.from, stretch.to),
      title: `${clock(stretch.from)}–${clock(stretch.to)}: ${stretch.reason ?? stretch.words ?? stretch.state.replace("_", " ")}`,
    }));
  const runs = lane.runs.map((run) => {
    const isBad = run.outcome && run.outcome !== "succeeded";
    return h("span", {
      class: "run " + (isBad ? "run-bad" : "run-ok") + (run.ended ? "" : " open"), at: place(run.launched, run.ended),
      title: `run ${run.run}, ${clock(run.launched)}: ${run.outcome ?? "under way"}`,
    });
  });
  return h("div", { class: "strip", "aria-hidden": "true" }, bars, runs);
}

export function axis(from, to, span) {
  const hours = span === "week" ? 24 : span === "day" ? 3 : 2;
  const marks = ticks(from, to, hours).map((time, index) =>
    h("span", { class: index % 2 ? "tick odd" : "tick", at: { left: (time - from) / (to - from) * 100 + "%" } },
      span === "week" ? date(time).split(" ")[0] : clock(time)));
  return h("div", { class: "axis", "aria-hidden": "true" }, marks);
}

export function key() {
  return h("ul", { class: "key", "aria-label": "What the colours mean" },
    legend.map(([name, words]) => h("li", {}, h("span", { class: "swatch " + name, "aria-hidden": "true" }), words)));
}

export function choice(current, choose) {
  return h("div", { class: "choice", role: "group", "aria-label": "Span of time" },
    Object.entries(spans).map(([name, words]) => h("button", {
      type: "button", "aria-pressed": String(name === current), "data-key": "span-" + name, on: { click: () => choose(name) },
    }, words)));
}

const groups = [
  ["failed", (count) => `${count} failed`], ["held", (count) => `${count} did not run although due`], ["ran", (count) => `${count} ran well`],
  ["quiet", (count) => `${count} had nothing due`],
];

/** "1 failed, 2 did not run although due, 40 ran well, 17 had nothing due." */
export function tally(timeline) {
  const parts = groups.map(([word, words]) => [timeline.lanes.filter((lane) => lane.result === word).length, words])
    .filter(([count]) => count).map(([count, words]) => words(count));
  return parts.length ? parts.join(", ") + "." : "There are no tasks.";
}

/** The last run that did not succeed, with what it printed. */
function failure(lane) { return lane.runs.findLast((run) => run.outcome && run.outcome !== "succeeded"); }

/** With its lane and its sentence; what failed also with what it printed last. */
function whole(lane, app, from, to) {
  const failed = lane.result === "failed" ? failure(lane) : undefined;
  return h("li", { class: "lane " + lane.result },
    h("p", { class: "who" }, title(lane, app), " ", named(app, { class: "dim of" })),
    strip(lane, from, to),
    h("div", { class: "sum" }, h("p", {}, failed?.printed ? unquoted(lane.summary) + "." : lane.summary), quote(failed?.printed, failed?.run)));
}

/** In one line, for who looks for it. */
function brief(lane, app, from, to) {
  const last = lane.runs.at(-1);
  const words = !last ? lane.summary.replace(/^Nothing was due(: )?/, "").replace(/\.$/, "") || "not due"
    : (lane.runs.length === 1 ? "once, " : lane.runs.length + " times, last ") + (to - Date.parse(last.launched) < 43200000 ? "" : weekday(last.launched) + " ") + clock(last.launched);
  return h("li", { class: "brief " + lane.result }, title(lane, app), lane.result === "ran" ? strip(lane, from, to) : null,
    h("span", { class: "dim" }, words));
}

function title(lane, app) {
  return h("a", { class: "name", href: "#/task/" + lane.task, "data-key": "night-" + lane.task, title: lane.task },
    mark(lane.result), " ", named(shortName(lane.task, app)));
}

/** The heart of the page: what failed, what did not run and why, and all else in a line each. */
export function night(timeline, status, view) {
  const from = Date.parse(timeline.from);
  const to = Date.parse(timeline.to);
  const apps = new Map(status.tasks.map((task) => [task.task, task.app]));
  const found = timeline.lanes.filter((lane) => view.finds(lane.task));
  const few = timeline.lanes.length <= view.few;
  const heads = { failed: "Failed", held: "Did not run although due", ran: "Ran well", quiet: "Had nothing due" };
  const part = ([word]) => {
    const lanes = found.filter((lane) => lane.result === word);
    if (!lanes.length) return null;
    const head = h("h2", { class: "group" }, heads[word], h("span", { class: "dim count" }, " " + lanes.length));
    const isCompact = word === "quiet" || (word === "ran" && !few);
    const rows = lanes.map((lane) => (isCompact ? brief : whole)(lane, apps.get(lane.task) ?? "", from, to));
    const list = h("ul", { class: "plain" + (isCompact ? " compact" : "") }, rows);
    return word === "failed" || word === "held" ? h("div", { class: "part" }, head, list) : fold(view, "night-" + word, few, head, list, { class: "part" });
  };
  return h("section", { class: "night", "aria-labelledby": "night-title" },
    h("div", { class: "headline" },
      h("h1", { id: "night-title" }, spans[view.span]),
      h("p", { class: "tally" }, tally(timeline)),
      choice(view.span, view.choose)),
    h("p", { class: "range dim" }, `${when(timeline.from)} to ${when(timeline.to)}, ${timeline.zone}`,
      timeline.cut ? "; only the newest events are drawn" : "", beginning(timeline, from)),
    timeline.lanes.length ? finder("Find a task", view.find, view.look) : null,
    h("p", { class: "dim", role: "status" }, view.find ? `${found.length} of ${timeline.lanes.length} tasks` : ""),
    h("div", { class: "lanes" },
      h("div", { class: "lane axis-row" }, h("span", {}), axis(from, to, view.span)),
      groups.map(part)),
    key());
}

/** Of what was before the history nothing can be said. */
function beginning(timeline, from) {
  if (!timeline.begins || Date.parse(timeline.begins) <= from) return "";
  return ". The history begins " + when(timeline.begins) + ": of the time before nothing is known";
}
