// One task: its gates, what is to come, its night, its last runs with what they printed.

import { h, prose, named, quote, shortName, table, unquoted } from "./dom.js";
import { runs } from "./history.js";
import { axis, choice, key, spans, strip } from "./night.js";
import { exact, range, when } from "./time.js";

export function task(why, status, lane, timeline, list, events, view, opens, act) {
  const now = status.tasks.find((one) => one.task === why.task);
  const app = now?.app ?? "";
  const isRunning = (now?.running ?? []).length > 0;
  const button = (words, path, disabled) => h("button", {
    type: "button", "data-key": "act-" + path, disabled, on: { click: () => act(`/api/tasks/${why.task}/${path}`) },
  }, words);
  // What one remedy says within its sentence needs no line of its own.
  const remedies = why.remedies.filter((one, index) => !why.remedies.some((other, place) => place !== index && other.includes(one) && (other !== one || place < index)));
  const last = list.find((run) => run.ended);
  const failed = last?.outcome && last.outcome !== "succeeded" ? last : undefined;
  return h("article", { "aria-labelledby": "task-title" },
    h("p", { class: "back" }, h("a", { href: "#/", "data-key": "back" }, "Overview"), " / ", h("a", { href: "#/app/" + app, "data-key": "to-app" }, named(app))),
    h("h1", { id: "task-title" }, named(shortName(why.task, app))),
    h("p", { class: "verdict" }, why.headline, " ", h("span", { class: failed ? "bad" : "dim" }, unquoted(why.last_run))),
    quote(failed?.printed, failed?.run),
    (now?.progress ?? []).map((progress) => h("p", {}, progress.title ?? "Progress", " ",
      h("progress", { max: "1", value: progress.fraction, "aria-label": progress.title ?? "Progress" }))),
    h("div", { class: "buttons" }, button("Launch now", "launch"), button("Expire the run", "expire", !isRunning),
      button("Ask for a run", "submit"), button("Withdraw the request", "cancel", !now?.pending)),
    remedies.length || why.paragraphs.length ? h("div", { class: "advice" },
      remedies.map((remedy) => h("p", { class: "remedy" }, "→ ", prose(remedy))),
      why.paragraphs.map((paragraph) => h("p", {}, prose(paragraph)))) : null,
    past(lane, timeline, view),
    gates(why),
    history(why.task, list, events, opens));
}

function past(lane, timeline, view) {
  const from = Date.parse(timeline.from);
  const to = Date.parse(timeline.to);
  const rows = lane.stretches.filter((one) => one.state !== "unknown" && Date.parse(one.to) - Date.parse(one.from) >= 1000).map((one) => [
    range(one.from, one.to),
    one.words ?? { running: "ran", moment: "waited for its moment", not_due: "not due", due: "due", unasked: "nobody asked for it", host_off: "the host was off or asleep" }[one.state],
    one.reason ?? "",
  ]);
  return h("section", { "aria-labelledby": "past-title" },
    h("div", { class: "headline" }, h("h2", { id: "past-title" }, spans[view.span]), choice(view.span, view.choose)),
    h("p", { class: "sum big" }, lane.summary),
    h("div", { class: "wide" }, axis(from, to, view.span), strip(lane, from, to)),
    key(),
    rows.length ? h("details", { "data-key": "stretches", open: rows.length <= 8 }, h("summary", {}, "Hour by hour"),
      table("What held it back, when", ["From and to", "What", "As it was said then"], rows)) : null);
}

function gates(why) {
  const rows = why.gates.map((gate, index) => [
    h("code", {}, gate.gate),
    gate.open ? h("span", { class: "well" }, "open") : h("span", { class: "bad" }, "closed"),
    h("span", { class: gate.open ? "dim" : "" }, prose(why.sentences[index])),
  ]);
  const closed = rows.filter((_, index) => !why.gates[index].open);
  const open = rows.filter((_, index) => why.gates[index].open);
  const heads = ["Gate", "Now", "Verdict"];
  return h("section", { "aria-labelledby": "gates-title" },
    h("h2", { id: "gates-title" }, "Gates now"),
    closed.length ? table("Closed gates: each has to open", heads, closed, { class: "gates" }) : h("p", {}, "Every gate is open."),
    h("details", { "data-key": "open-gates" }, h("summary", {}, `${open.length} open gates`), table("Open gates", heads, open, { class: "gates" })));
}

function history(task, list, events, opens) {
  const lines = [...events].reverse().slice(0, 60).map((event) => [
    h("time", { datetime: event.time }, when(event.time) + exact(event.time).slice(5)), event.event, event.reason ?? (event.gates ?? []).join(", "),
  ]);
  return h("section", { "aria-labelledby": "runs-title" },
    h("h2", { id: "runs-title" }, "Runs"),
    list.length ? [runs(list, opens, true), h("p", {}, h("a", { href: "#/history?task=" + task, "data-key": "all-runs" }, "All its runs"))]
      : h("p", {}, "It has never run."),
    h("details", { "data-key": "events" }, h("summary", {}, "All events"),
      table("The last events, the newest first", ["Time", "Event", "Details"], lines)));
}
