// The results of each task in a night, a day or a week: failures, runs that were missed, and the rest folded.

import { finder, fold, h, mark, named, prose, quote, rest, shortName, unquoted } from "./dom.js";
import { areAll, pick } from "./picked.js";
import { clock, date, span, ticks, weekday, when } from "./time.js";
import { alsoHidden, hidden } from "./token.js";

export const spans = { night: "Last night", day: "24 hours", week: "7 days" };

/** The kind of each gate, by what opens it: time, a condition, a limit, or a person. */
const kinds = {
  window: "time", quiet: "time", earliest_begin: "time", moment: "time",
  network: "world", external_power: "world", battery: "world", idle: "world", load: "world", disk: "world",
  rate_limit: "limit", budget: "limit", cost_limit: "limit", backoff: "limit", concurrency: "limit", shutting_down: "limit",
  permitted: "person", registered: "person", enabled: "person", paused: "person", idle_app: "person", requested: "person",
};

const legend = [
  ["run-ok", "ran well"], ["run-bad", "failed"], ["run-cut", "cut short"], ["gate-world", "a condition was missing"], ["gate-time", "outside its time"],
  ["gate-limit", "a limit held it"], ["gate-person", "needs somebody"], ["calm", "not due, or waiting for its moment"],
  ["off", "no host ran, or it was asleep"],
];

/** The kind that counts most of the gates that were closed: a person, then time, a condition, a limit. */
function kind(stretch) {
  if (stretch.state === "host_off") return "off";
  if (stretch.state !== "waiting") return stretch.state === "unknown" ? "blank" : "calm";
  const found = new Set((stretch.gates ?? []).map((gate) => kinds[gate] ?? "world"));
  for (const one of ["person", "time", "world", "limit"]) if (found.has(one)) return "gate-" + one;
  return "calm";
}

function isBad(run) { return run.failed; }
function isCut(run) { return run.lost || run.outcome && run.outcome !== "succeeded" && !run.failed; }
const colour = (run) => isBad(run) ? "run-bad" : isCut(run) ? "run-cut" : "run-ok";

/** One lane: its stretches and its runs on the line of time. A sentence beside it says the same. */
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
    const at = place(run.launched, run.ended ?? run.lost);
    return h("span", {
      class: "run " + colour(run) + (run.ended || run.lost ? "" : " open"),
      // A run that has just begun is visible, too.
      at: { ...at, left: `min(${at.left}, calc(100% - 4px))` },
      title: `run ${run.run}, ${clock(run.launched)}: ${run.outcome ?? (run.lost ? "cut off with its host" : "under way")}`,
    });
  });
  return h("div", { class: "strip", "aria-hidden": "true" }, bars, runs);
}

/** How many runs were launched over the span, where too many tasks are drawn for their lanes to show it. */
function throughput({ throughput: all, from: start }, from, to) {
  if (!all) return null;
  const most = Math.max(...all.launched_counts);
  const sum = (counts) => counts.reduce((sum, count) => sum + count, 0);
  const begin = (index) => Date.parse(start) + index * all.part_ms;
  const piles = all.launched_counts.flatMap((count, index) => {
    const left = (begin(index) - from) / (to - from) * 100 + "%", width = all.part_ms / (to - from) * 100 + "%";
    const title = `${clock(begin(index))}–${clock(begin(index + 1))}: ${count} runs, ${all.failed_counts[index]} failed`;
    return [["run-ok", count], ["run-bad", all.failed_counts[index]]].filter(([, part]) => part)
      .map(([name, part]) => h("span", { class: "pile " + name, title, at: { left, width, height: part / most * 100 + "%" } }));
  });
  return h("div", { class: "lane" }, h("p", { class: "who" }, h("b", {}, "All runs")), h("div", { class: "strip piles", "aria-hidden": "true" }, piles),
    h("p", { class: "sum" }, `${sum(all.launched_counts)} were launched, ${sum(all.failed_counts)} of them failed; at most ${most} in ${span(all.part_ms)}, from ${when(begin(all.launched_counts.indexOf(most)))}.`));
}

const hour = 3600000;

/** The span that is drawn: no lane has room for the time before the history. */
export function looked(timeline, span) {
  const [from, to] = [Date.parse(timeline.from), Date.parse(timeline.to)];
  const begins = timeline.begins ? Date.parse(timeline.begins) : from;
  if (begins <= from || begins >= to) return { from, to, title: spans[span], isKnown: begins < to };
  return { from: Math.min(begins, to - hour / 6), to, title: span === "night" ? spans.night : "Since " + when(begins), isKnown: true };
}

export function axis(from, to) {
  const hours = [1 / 30, 1 / 12, 1 / 4, 1 / 2, 1, 2, 3, 6, 12].find((one) => (to - from) / (one * hour) <= 8.1) ?? 24;
  const marks = ticks(from, to, hours).map((time, index) =>
    h("span", { class: index % 2 ? "tick odd" : "tick", at: { left: (time - from) / (to - from) * 100 + "%" } },
      hours === 24 ? date(time).split(" ")[0] : clock(time)));
  return h("div", { class: "axis", "aria-hidden": "true" }, marks);
}

/** Whether a stretch is long enough to be seen. */
export function lasts(stretch) { return Date.parse(stretch.to) - Date.parse(stretch.from) >= hour / 60; }

/** The meaning of the colours that occur in these lanes. */
export function key(lanes) {
  const drawn = new Set(lanes.flatMap((lane) => [
    ...lane.stretches.filter((stretch) => stretch.state !== "running" && lasts(stretch)).map(kind), ...lane.runs.map(colour)]));
  return h("ul", { class: "key", "aria-label": "What the colours mean" }, legend.filter(([name]) => drawn.has(name))
    .map(([name, words]) => h("li", {}, h("span", { class: "swatch " + name, "aria-hidden": "true" }), words)));
}

export function choice(current, choose) {
  return h("div", { class: "choice", role: "group", "aria-label": "Span of time" },
    Object.entries(spans).map(([name, words]) => h("button", {
      type: "button", "aria-pressed": String(name === current), "data-key": "span-" + name, on: { click: () => choose(name) },
    }, words)));
}

const groups = [
  ["failed", "failed"], ["cut", "was cut short"], ["held", "did not run although due"], ["mended", "has run well since"], ["ran", "ran well"], ["quiet", "had nothing due"],
];

/** The lane's part; a failure or a missed run needs nobody any more if the task has run well since. */
const result = (lane) => lane.mended ? "mended" : lane.result;

/** "1 failed, 2 did not run although due, 40 ran well, 17 had nothing due." */
export function tally(timeline) {
  const parts = groups.map(([word, words]) => [timeline.counts[word], words])
    .filter(([count]) => count).map(([count, words]) => `${count} ${count > 1 ? words.replace(/^has /, "have ").replace(/^was /, "were ") : words}`);
  return parts.join(", ") + ".";
}

/** The result of a lane, and what has happened since. */
export function story(lane) {
  // If the quoted output is left out, so is the text behind it.
  const text = unquoted(lane.summary);
  return [prose(text.endsWith(".") ? text : text + "."), lane.sequel ? " " + lane.sequel : ""];
}

/** A task with its lane and its sentence; a failed one also with its last output, or with how to see that. */
function whole(lane, app, from, to, isFirst) {
  const failed = lane.result === "failed" ? lane.runs.findLast(isBad) : undefined;
  return h("li", { class: "lane " + result(lane) },
    h("p", { class: "who" }, title(lane, app), " ", named(app, { class: "dim of" })),
    strip(lane, from, to),
    h("div", { class: "sum" }, h("p", {}, story(lane)),
      quote(failed?.printed, failed?.run), failed?.printed_hidden ? (isFirst ? hidden : alsoHidden)(lane.task) : null));
}

/** A task in one line. */
function brief(lane, app, from, to) {
  const last = lane.runs.at(-1);
  const words = !last ? lane.summary.replace(/^Nothing was due(: )?/, "").replace(/\.$/, "") || "not due"
    : (lane.runs.length === 1 ? "once, " : lane.runs.length + " times, last ") + (to - Date.parse(last.launched) < 43200000 ? "" : weekday(last.launched) + " ") + clock(last.launched);
  return h("li", { class: "brief " + result(lane) }, title(lane, app), lane.result === "ran" ? strip(lane, from, to) : null,
    h("span", { class: "dim" }, prose(words + (lane.removed ? "; no longer in the manifest" : ""))));
}

function title(lane, app) {
  return h("a", { class: "name", href: (lane.removed ? "#/history?task=" : "#/task/") + lane.task, "data-key": "night-" + lane.task, title: lane.task },
    mark(result(lane) === "mended" ? "ran" : lane.result), " ", named(shortName(lane.task, app)));
}

/** The main part of the page: failures, missed runs with the reason, and all else in a line each. */
export function night(timeline, status, view) {
  const sum = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = sum(timeline.counts);
  if (!total) return h("h1", {}, "No tasks");
  const { from, to, title, isKnown } = looked(timeline, view.span);
  const isNew = isKnown && timeline.begins && Date.parse(timeline.begins) > Date.parse(timeline.from);
  const found = timeline.lanes;
  const few = total <= view.few;
  const heads = { failed: "Failed", cut: "Was cut short", held: "Did not run although due", mended: "Has run well since", ran: "Ran well", quiet: "Had nothing due" };
  const hiding = found.find((lane) => lane.result === "failed" && lane.runs.findLast(isBad)?.printed_hidden);
  const part = ([word]) => {
    const lanes = found.filter((lane) => result(lane) === word);
    const count = timeline.found_counts[word];
    if (!count) return null;
    const head = h("h2", { class: "group" }, heads[word], h("span", { class: "dim count" }, " " + count));
    const own = lanes.filter((lane) => !lane.removed).map((lane) => lane.task);
    const select = word === "failed" && own.length > 1 && !areAll(own) ? h("button", {
      type: "button", class: "word", "data-key": "pick-failed", on: { click: () => pick(own, true, view.changed) },
    }, `Select these ${own.length}`) : null;
    const isAlways = ["failed", "cut", "held", "mended"].includes(word);
    const isCompact = word === "quiet" || (word === "ran" && !few);
    const rows = lanes.map((lane) => (isCompact ? brief : whole)(lane, lane.app ?? "", from, to, lane === hiding));
    const list = [h("ul", { class: "plain" + (isCompact ? " compact" : "") }, rows), rest(count - lanes.length, view, "night-" + word, isAlways || few)];
    return isAlways ? h("div", { class: "part" }, head, select, list) : fold(view, "night-" + word, few, head, list, { class: "part" });
  };
  return h("section", { class: "night", "aria-labelledby": "night-title" },
    h("div", { class: "headline" },
      h("h1", { id: "night-title" }, title),
      h("p", { class: "tally" }, isKnown ? tally(timeline) : "Nothing is known about it."),
      choice(view.span, view.choose)),
    h("p", { class: "range dim" }, `${when(isNew ? timeline.begins : timeline.from)} to ${when(timeline.to)}, ${timeline.zone}`,
      ...timeline.absences.slice(0, 6).map((one) => `; ${one.words} ${clock(one.from)}–${clock(one.to)}`), timeline.absences.length > 6 ? `; and ${timeline.absences.length - 6} more such times` : "",
      timeline.cut ? "; only the newest events are drawn" : "", isNew ? "; the history begins then" : isKnown ? "" : "; the history begins " + when(timeline.begins)),
    isKnown ? [finder("Find a task", view.find, view.look),
    h("p", { class: "dim", role: "status" }, view.find ? `${sum(timeline.found_counts)} of ${total} tasks` : ""),
    h("div", { class: "lanes" },
      h("div", { class: "lane axis-row" }, h("span", {}), axis(from, to)),
      few ? null : throughput(timeline, from, to),
      groups.map(part)),
    key(found)] : null);
}
