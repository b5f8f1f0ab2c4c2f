// What became of each task: the lanes of a night, a day or a week. Drawn from the history's own words.

import { h, shortName } from "./dom.js";
import { clock, date, ticks, when } from "./time.js";

export const spans = { night: "Last night", day: "24 hours", week: "7 days" };

/** By what a closed gate is opened: time, the world, a limit, or somebody. */
const kinds = {
  window: "time", earliest_begin: "time", moment: "time",
  network: "world", external_power: "world", battery: "world", idle: "world", load: "world", disk: "world",
  rate_limit: "limit", budget: "limit", backoff: "limit", concurrency: "limit", shutting_down: "limit",
  permitted: "person", registered: "person", enabled: "person", idle_app: "person", requested: "person",
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

const glyphs = { ran: ["✓", "ran"], failed: ["✗", "failed"], held: ["○", "did not run"], quiet: ["·", "nothing to do"] };

export function mark(word) {
  const [glyph, text] = glyphs[word];
  return h("span", { class: "glyph " + word }, h("span", { "aria-hidden": "true" }, glyph), h("span", { class: "unseen" }, text));
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

/** "3 tasks ran, 1 failed, 2 did not run." */
export function tally(timeline) {
  const counts = { ran: 0, failed: 0, held: 0, quiet: 0 };
  for (const lane of timeline.lanes) counts[lane.result] += 1;
  const parts = [
    counts.failed && `${counts.failed} failed`, counts.held && `${counts.held} did not run`, counts.ran && `${counts.ran} ran well`,
    counts.quiet && `${counts.quiet} had nothing to do`,
  ].filter(Boolean);
  return parts.length ? parts.join(", ") + "." : "There are no tasks.";
}

/** The heart of the page: every task's night with the reason for each that did not run. */
export function night(timeline, status, span, choose) {
  const from = Date.parse(timeline.from);
  const to = Date.parse(timeline.to);
  const apps = new Map(status.tasks.map((task) => [task.task, task.app]));
  const groups = Map.groupBy ? Map.groupBy(timeline.lanes, (lane) => apps.get(lane.task) ?? "") : group(timeline.lanes, apps);
  return h("section", { class: "night", "aria-labelledby": "night-title" },
    h("div", { class: "headline" },
      h("h1", { id: "night-title" }, spans[span]),
      h("p", { class: "tally" }, tally(timeline)),
      choice(span, choose)),
    h("p", { class: "range dim" }, `${when(timeline.from)} to ${when(timeline.to)}, ${timeline.zone}`,
      timeline.cut ? "; only the newest events are drawn" : ""),
    h("div", { class: "lanes" },
      h("div", { class: "lane axis-row" }, h("span", {}), axis(from, to, span)),
      [...groups].map(([app, lanes]) => [
        h("h2", { class: "app" }, h("a", { href: "#/app/" + app, "data-key": "night-app-" + app }, app)),
        h("ul", { class: "plain" }, lanes.map((lane) => {
          const word = lane.result;
          return h("li", { class: "lane " + word },
            h("a", { class: "name", href: "#/task/" + lane.task, "data-key": "night-" + lane.task }, mark(word), " ", shortName(lane.task, app)),
            strip(lane, from, to),
            h("p", { class: "sum" }, lane.summary));
        })),
      ])),
    key());
}

function group(lanes, apps) {
  const groups = new Map();
  for (const lane of lanes) {
    const app = apps.get(lane.task) ?? "";
    groups.set(app, [...(groups.get(app) ?? []), lane]);
  }
  return groups;
}
