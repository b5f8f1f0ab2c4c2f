// One task: its gates, what is to come, its last runs with what they printed, its night.

import { h, prose, shortName, swap, table } from "./dom.js";
import { get } from "./api.js";
import { axis, choice, key, spans, strip } from "./night.js";
import { exact, range, span, when } from "./time.js";

const unfolded = new Map();

function outcome(event) {
  const bad = event.outcome && event.outcome !== "succeeded";
  return h("span", { class: bad ? "bad" : "well" }, event.outcome ?? event.event);
}

/** Runs from their events: each has begun, and has ended or not. */
function runs(events) {
  const all = new Map();
  for (const event of events) {
    if (event.run === undefined) continue;
    const run = all.get(event.run) ?? { run: event.run };
    if (event.event === "launched") run.launched = event.time;
    if (["completed", "failed", "interrupted"].includes(event.event)) run.end = event;
    all.set(event.run, run);
  }
  return [...all.values()].sort((a, b) => b.run - a.run);
}

function output(run) {
  const place = h("div", { class: "output" });
  const load = async () => {
    place.replaceChildren();
    try {
      const { origin } = await get(`/api/runs/${run.run}`);
      if (origin) swap(place, h("pre", { tabindex: "0", role: "region", "aria-label": `Where run ${run.run} came from`, "data-key": "origin-" + run.run }, origin));
      const answer = await get(`/api/runs/${run.run}/output`);
      const note = [answer.dropped ? `${answer.dropped} bytes were not kept` : "", answer.shared ? "other runs of the app were open: lines may be theirs" : ""]
        .filter(Boolean).join("; ");
      place.append(...[h("p", { class: "dim" }, "It printed:"), note ? h("p", { class: "dim" }, note) : null,
        answer.text ? h("pre", { tabindex: "0", role: "region", "aria-label": `Output of run ${run.run}`, "data-key": "pre-" + run.run }, answer.text)
          : h("p", { class: "dim" }, "Nothing.")].filter(Boolean));
      unfolded.set(run.run, place);
    } catch (error) {
      place.append(h("p", { class: "bad" }, error.message));
    }
  };
  const known = run.end ? unfolded.get(run.run) : undefined;
  return h("details", { "data-key": "run-" + run.run, on: { toggle: (event) => { if (event.target.open && !known) load(); } } },
    h("summary", {}, "Output and origin"), known ?? place);
}

export function task(why, status, lane, timeline, events, span_, choose, act) {
  const now = status.tasks.find((one) => one.task === why.task);
  const app = now?.app ?? "";
  const isRunning = (now?.running ?? []).length > 0;
  const button = (words, path, disabled) => h("button", {
    type: "button", "data-key": "act-" + path, disabled, on: { click: () => act(`/api/tasks/${why.task}/${path}`) },
  }, words);
  return h("article", { "aria-labelledby": "task-title" },
    h("p", { class: "back" }, h("a", { href: "#/", "data-key": "back" }, "Overview"), " / ", h("a", { href: "#/app/" + app, "data-key": "to-app" }, app)),
    h("h1", { id: "task-title" }, shortName(why.task, app)),
    h("p", { class: "verdict" }, why.headline, " ", h("span", { class: "dim" }, why.last_run ?? "")),
    (now?.progress ?? []).map((progress) => h("p", {}, progress.title ?? "Progress", " ",
      h("progress", { max: "1", value: progress.fraction, "aria-label": progress.title ?? "Progress" }))),
    h("div", { class: "buttons" }, button("Launch now", "launch"), button("Expire the run", "expire", !isRunning),
      button("Ask for a run", "submit"), button("Withdraw the request", "cancel", !now?.pending)),
    why.remedies.length || why.paragraphs.length ? h("div", { class: "advice" },
      why.remedies.map((remedy) => h("p", { class: "remedy" }, "→ ", prose(remedy))),
      why.paragraphs.map((paragraph) => h("p", {}, prose(paragraph)))) : null,
    past(lane, timeline, span_, choose),
    gates(why),
    history(events));
}

function past(lane, timeline, span_, choose) {
  const from = Date.parse(timeline.from);
  const to = Date.parse(timeline.to);
  const rows = lane.stretches.filter((one) => one.state !== "unknown" && Date.parse(one.to) - Date.parse(one.from) >= 1000).map((one) => [
    range(one.from, one.to),
    one.words ?? { running: "ran", moment: "waited for its moment", not_due: "not due", due: "due", unasked: "nobody asked for it", host_off: "the host was off or asleep" }[one.state],
    one.reason ?? "",
  ]);
  return h("section", { "aria-labelledby": "past-title" },
    h("div", { class: "headline" }, h("h2", { id: "past-title" }, spans[span_]), choice(span_, choose)),
    h("p", { class: "sum big" }, lane.summary),
    h("div", { class: "wide" }, axis(from, to, span_), strip(lane, from, to)),
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

function history(events) {
  const rows = runs(events).slice(0, 30).map((run) => [
    "run " + run.run,
    run.launched ? h("time", { datetime: run.launched }, when(run.launched)) : "–",
    run.end ? outcome(run.end) : "under way",
    run.end?.ms !== undefined ? span(run.end.ms) : "–",
    [h("p", {}, run.end?.reason ?? ""), output(run)],
  ]);
  const lines = [...events].reverse().slice(0, 60).map((event) => [
    h("time", { datetime: event.time }, when(event.time) + exact(event.time).slice(5)), event.event, event.reason ?? (event.gates ?? []).join(", "),
  ]);
  return h("section", { "aria-labelledby": "runs-title" },
    h("h2", { id: "runs-title" }, "Runs"),
    rows.length ? table("The last runs, the newest first", ["Run", "Launched", "Outcome", "Took", "Said"], rows, { class: "runs" }) : h("p", {}, "It has never run."),
    h("details", { "data-key": "events" }, h("summary", {}, "All events"),
      table("The last events, the newest first", ["Time", "Event", "Details"], lines)));
}
