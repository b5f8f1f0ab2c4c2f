// One task: its state, its next runs, its last hours, its runs, and its gates.

import { ofTask, row } from "./buttons.js";
import { fold, h, mark, named, prose, quote, shortName, table, unquoted } from "./dom.js";
import { author, eventName, runs } from "./history.js";
import { params } from "./params.js";
import { axis, choice, key, lasts, looked, story, strip } from "./night.js";
import { exact, range, span, when } from "./time.js";
import { hidden, hiddenCommand } from "./token.js";

export function task(why, status, lane, timeline, list, events, view, opens, act) {
  const now = status.tasks.find((one) => one.task === why.task);
  const app = now?.app ?? "";
  return h("article", { "aria-labelledby": "task-title" },
    h("p", { class: "back" }, h("a", { href: "#/", "data-key": "back" }, "Overview"), " / ", h("a", { href: "#/app/" + app, "data-key": "to-app" }, named(app))),
    h("h1", { id: "task-title" }, named(shortName(why.task, app))),
    facts(why, status.lines.find((one) => one.task === why.task), list),
    (now?.progress ?? []).map((progress) => h("p", {}, progress.title ?? "Progress", " ",
      h("progress", { max: "1", value: progress.fraction, "aria-label": progress.title ?? "Progress" }))),
    row(ofTask(why.task, now, status, act)),
    params(why.task, now, act),
    advice(why),
    past(lane, timeline, view),
    history(why.task, list, events, opens),
    gates(why));
}

/** Its state, its last run, the reason of a failure, and its next run. */
function facts(why, line_, list) {
  const last = list.find((run) => run.ended);
  const failed = last?.failed ? last : undefined;
  const line = (name, ...words) => [h("dt", {}, name), h("dd", {}, words)];
  const headline = why.headline.startsWith(why.task + " ") ? why.headline.slice(why.task.length + 1) : why.headline;
  return h("dl", { class: "facts" },
    line("Now", h("p", { class: "verdict" }, prose(headline[0].toUpperCase() + headline.slice(1)))),
    line("Last run", lastRun(last, failed, why)),
    failed ? line("Cause", h("p", {}, unquoted(failed.reason ?? failed.outcome)), quote(failed.printed, failed.run), failed.printed_hidden ? hidden("task") : null) : null,
    line("Next", line_?.next_words ?? "not in the manifest"),
    line_?.schedule ? line("Schedule", line_.schedule) : null,
    why.place ? line(why.command || why.command_hidden ? "Runs" : "In the manifest", runsWhat(why)) : null);
}

/** Its command line, and where the manifest has the task. */
function runsWhat(why) {
  if (!why.command && !why.command_hidden) return why.place;
  return h("p", {}, why.command ? h("code", {}, why.command) : hiddenCommand("command"), ` (${why.place})`);
}

function lastRun(last, failed, why) {
  // The host knows older runs than the list has.
  if (!last) return why.last_run_words ? h("p", {}, unquoted(why.last_run_words)) : list.length ? "none has ended" : "never";
  const link = last.run === undefined ? null : [", ", h("a", { href: "#/run/" + last.run, "data-key": "last-run" }, "run " + last.run)];
  return h("p", { class: failed ? "bad" : last.outcome === "succeeded" ? "well" : "held" }, mark(failed ? "failed" : last.outcome === "succeeded" ? "ran" : "cut"), `${last.outcome ?? "ended"}, ${when(last.launched ?? last.ended)}`,
    last.ms === undefined ? "" : `, after ${span(last.ms)}`, link);
}

/** What lets it run, without what has a button, stands above already, or is part of another line. */
function advice(why) {
  const ofButton = /^(To run it now: )?launch it (now )?with `lull launch [^`]+`\.?$/i;
  const isNext = /^It runs .*: only time holds it back\.$/;
  const says = (other, one) => other.toLowerCase().includes(one.toLowerCase());
  // "then try it": there is a button for it.
  const all = why.remedies.filter((one) => !ofButton.test(one)).map((one) => one.replace(/(try it|try the new settings) with `lull launch [^`]+`$/i, "$1"));
  const remedies = all.filter((one, index) => !all.some((other, place) => place !== index && says(other, one) && (!says(one, other) || place < index))
    && !why.paragraphs.some((other) => says(other, one)));
  const paragraphs = why.paragraphs.filter((one) => !ofButton.test(one) && !isNext.test(one));
  if (!remedies.length && !paragraphs.length) return null;
  return h("div", { class: "advice" }, remedies.map((remedy) => h("p", { class: "remedy" }, "→ ", prose(remedy))),
    paragraphs.map((paragraph) => h("p", {}, prose(paragraph))));
}

const states = {
  running: "ran", moment: "waited for its moment", not_due: "not due", due: "due", unasked: "nobody asked for it", host_off: "no host could launch it",
};

function past(lane, timeline, view) {
  const { from, to, title } = looked(timeline, view.span);
  const rows = lane.stretches.filter((one) => one.state !== "unknown" && (one.state === "running" || lasts(one))).map((one) => [
    range(one.from, one.to), (one.words ?? states[one.state]) + (one.due ? `, and it was due ${when(one.due)}` : ""), one.reason ?? ""]);
  const drawn = [
    h("div", { class: "wide" }, axis(from, to), strip(lane, from, to)), key([lane]),
    rows.length ? h("details", { "data-key": "stretches", open: rows.length <= 8 }, h("summary", {}, "Hour by hour"),
      table("What held it back, when", ["From and to", "What", "Reason"], rows)) : null,
  ];
  // Hours in which nothing was due are folded.
  const isCalm = !lane.runs.length && lane.stretches.filter(lasts).every((one) => ["unknown", "not_due", "unasked", "host_off"].includes(one.state));
  return h("section", { "aria-labelledby": "past-title" },
    h("div", { class: "headline" }, h("h2", { id: "past-title" }, title), choice(view.span, view.choose)),
    h("p", { class: "sum big" }, story(lane)),
    isCalm && rows.length ? fold(view, "past", false, "Its hours", drawn) : rows.length || lane.runs.length ? drawn : null);
}

function gates(why) {
  const rows = why.gate_states.map((gate, index) => [
    h("code", {}, gate.gate),
    gate.open ? h("span", { class: "well" }, "open") : h("span", { class: "bad" }, "closed"),
    h("span", { class: gate.open ? "dim" : "" }, prose(why.sentences[index])),
  ]);
  const closed = rows.filter((_, index) => !why.gate_states[index].open);
  const open = rows.filter((_, index) => why.gate_states[index].open);
  const heads = ["Gate", "Now", "Verdict"];
  return h("section", { "aria-labelledby": "gates-title" },
    h("h2", { id: "gates-title" }, "Gates now"),
    closed.length ? table("Closed gates: each has to open", heads, closed, { class: "gates" }) : h("p", {}, "Every gate is open."),
    h("details", { "data-key": "open-gates" }, h("summary", {}, `${open.length} open gates`), table("Open gates", heads, open, { class: "gates" })));
}

function history(task, list, events, opens) {
  const lines = [...events].reverse().slice(0, 60).map((event) => [
    h("time", { datetime: event.time }, when(event.time) + exact(event.time).slice(5)), eventName(event), [author(event), event.reason].filter(Boolean).join(": ") || (event.gates ?? []).join(", "),
  ]);
  return h("section", { "aria-labelledby": "runs-title" },
    h("h2", { id: "runs-title" }, "Runs"),
    list.length ? [runs(list, opens, true), h("p", {}, h("a", { href: "#/history?task=" + task, "data-key": "all-runs" }, "All its runs"))]
      : h("p", {}, "It has never run."),
    h("details", { "data-key": "events" }, h("summary", {}, "All events"),
      table("The last events, the newest first", ["Time", "Event", "Details"], lines)));
}
